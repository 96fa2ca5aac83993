import { readFileSync } from 'node:fs';
import core from '@stoplight/spectral-core';
import owasp from '@stoplight/spectral-owasp-ruleset';
import rulesets from '@stoplight/spectral-rulesets';
import { describe, expect, it } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

async function judge(ruleset: object): Promise<{ code: string; message: string; path: string }[]> {
  const spectral = new core.Spectral();
  spectral.setRuleset(ruleset);
  const found = await spectral.run(JSON.parse(read('openapi.json')));
  return found.map(({ code, message, path }) => ({ code: String(code), message, path: path.join('/') }));
}

/** The rules that docs/decisions/0012-openapi.md gives a reason for. */
const EXCUSED = [
  ...read('docs/decisions/0012-openapi.md').matchAll(/^\| `(owasp:[^`]+)` \| .{20,} \|$/gm),
].map(([, rule = '']) => rule);

describe('Spectral', () => {
  it('finds nothing with the rules for OpenAPI', async () => {
    expect(await judge({ extends: [[rulesets.oas, 'recommended']] })).toEqual([]);
  });

  it('finds with the OWASP rules only what has a written reason, and every reason is still needed', async () => {
    const found = await judge({ extends: [[owasp, 'recommended']] });
    expect([...new Set(found.map(({ code }) => code))].toSorted()).toEqual(EXCUSED.toSorted());
  });
});
