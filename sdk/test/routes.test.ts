import { fetchErrorCatalogue } from '@countersign/sdk';
import { describe, expect, it } from 'vitest';
import { allRoutes } from '../../server/src/app.ts';
import { json, scriptedServer } from './harness/scripted.ts';
import { sourceFiles } from './harness/sources.ts';

/** Every call is written as data in one form, so that what the SDK can call is readable from its text. */
function calledRoutes(): string[] {
  const calls = new Set<string>();
  for (const text of sourceFiles().values()) {
    for (const [, method, path] of text.matchAll(/method: '([A-Z]+)',\s*path: '([^']+)'/g))
      calls.add(`${method} ${path}`);
  }
  return [...calls].toSorted();
}

describe('the SDK', () => {
  it('has a method for every operation of the service, and calls nothing else', () => {
    const published = allRoutes().map((route) => `${route.method} ${route.path}`);
    expect(calledRoutes()).toEqual([...new Set(published)].toSorted());
  });

  it('reads the published error table', async () => {
    const entry = { code: 'unavailable', http_status: 503, meaning: 'm', recovery: 'r', safe_to_retry: true };
    const server = await scriptedServer(json(200, { ok: true, errors: [entry] }));
    expect((await fetchErrorCatalogue({ baseUrl: server.url })).errors).toEqual([entry]);
  });
});
