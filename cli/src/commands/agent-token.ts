import { AGENT_OPTIONS, openAgent } from '../clients.ts';
import { defineCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { createOutput } from '../output.ts';
import { readSettings, SERVICE_OPTIONS } from '../settings.ts';

export const agentToken = defineCommand({
  name: 'agent token',
  summary: 'exchange a signed assertion for a short agent token',
  options: { ...SERVICE_OPTIONS, ...AGENT_OPTIONS },
  details: 'Prints the token alone on stdout, for use in scripts; with --json also its scopes and its life.',
  async run(io, { values, isJson }) {
    const settings = readSettings(io, values);
    const { agent } = await openAgent(io, settings, values, isJson);
    const answer = await agent.exchangeAssertion({ signal: io.signal });
    const output = createOutput(io, isJson);
    output.note(`Works for ${answer.expires_in} s. Scopes: ${answer.scopes.join(', ')}`);
    output.result(answer, answer.agent_token);
    return EXIT.ok;
  },
});
