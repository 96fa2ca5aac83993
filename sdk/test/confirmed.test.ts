import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../cli/src/registry.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');
const WORDS = /what the wallet\s+(?:says|reports)/;

/** The service does not look at chains: an agent that delivers on `confirmed` must have read whose word it is. */
describe('confirmed is said to be what the wallet says', () => {
  const guides = readdirSync(`${root}docs/guides`).map((file) => `docs/guides/${file}`);
  const pages = ['README.md', 'docs/SDK.md', 'docs/SDK-REFERENCE.md', 'docs/STATES.md', ...guides];

  it.each(pages.filter((page) => /\bconfirmed\b/.test(read(page))))('on the page %s', (page) => {
    expect(read(page)).toMatch(WORDS);
    expect(read(page)).not.toMatch(/\bthe truth\b/);
  });

  it.each(['PaymentRequest', 'AgentPayment'])('in the record %s', (name) => {
    const { components } = JSON.parse(read('openapi.json')) as {
      components: { schemas: Record<string, { properties: { status: { description: string } } }> };
    };
    expect(components.schemas[name]?.properties.status.description).toMatch(WORDS);
  });

  it('in the help of the commands that show it', async () => {
    expect((await COMMANDS['request get']?.())?.summary).toMatch(WORDS);
    expect((await COMMANDS['request watch']?.())?.details).toMatch(WORDS);
  });
});
