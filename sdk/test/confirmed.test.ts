import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../cli/src/registry.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');
const WORDS = /what the wallet\s+reports|the wallet's\s+report/;

/** An agent that delivers on `confirmed` must have read whose word it is where it meets the status. */
describe('confirmed is described as a report of the wallet', () => {
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
