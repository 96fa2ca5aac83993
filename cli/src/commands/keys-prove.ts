import { signCredentialChallenge } from '@payassent/sdk';
import { AGENT_OPTIONS, readAgent } from '../clients.ts';
import { defineCommand, UsageError } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { createOutput } from '../output.ts';
import { readInput, readSettings, required, SERVICE_OPTIONS } from '../settings.ts';

export const keysProve = defineCommand({
  name: 'keys prove',
  summary: "sign the challenge of a key's registration",
  options: {
    ...SERVICE_OPTIONS,
    ...AGENT_OPTIONS,
    challenge: {
      type: 'string',
      placeholder: 'text',
      summary: 'proof_challenge as the service gave it, - for stdin',
    },
  },
  details: [
    'Signs only what is a challenge of this service for this agent, this kid and this very key.',
    'Activate the credential with the challenge and the signature that is printed.',
  ].join('\n'),
  async run(io, { values, isJson }) {
    const settings = readSettings(io, values);
    const stated = required(values.challenge, '--challenge');
    const challenge = stated === '-' ? (await readInput(io, '-')).trim() : stated;
    const { agentId, kid, key } = await readAgent(io, settings, values);
    const expected = { baseUrl: settings.baseUrl, agentId, kid };
    const signature = await signCredentialChallenge(challenge, key, expected).catch((error: unknown) => {
      throw error instanceof TypeError || error instanceof RangeError ? new UsageError(error.message) : error;
    });
    createOutput(io, isJson).result({ challenge, signature, public_key: key.publicKey }, signature);
    return EXIT.ok;
  },
});
