import { startService, type TestService } from '@payassent/proof/service/service';
import { TOOL_DEFINITIONS } from '@payassent/sdk/tools';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

describe('the texts for models', () => {
  it.each(['/llms.txt', '/llms-full.txt', '/skill.md'])('%s agrees with the tools', async (path) => {
    const response = await fetch(service.url + path);
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/(plain|markdown); charset=utf-8/);
    expect(text).toContain('Keep one intent_id per purchase.');
    expect(text).toContain('An unknown outcome is not a failure.');
    expect(text).toContain('Never ask anyone for private keys');
    if (path === '/skill.md') expect(text).toMatch(/^---\nname: payassent\ndescription: .+\n---\n/);
    else
      for (const { name, description } of TOOL_DEFINITIONS)
        expect(text).toContain(
          `${name}${path === '/llms.txt' ? '`: ' : ''}${path === '/llms.txt' ? description : ''}`,
        );
  });
});
