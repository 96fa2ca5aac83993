import { generateAgentKey, signCredentialChallenge } from '@payassent/sdk';
import { AGENT_OPTIONS, openAgent, readAgent } from '../clients.ts';
import { defineCommand, UsageError } from '../command.ts';
import { createOutput, listing } from '../output.ts';
import { writePrivateFile } from '../private-file.ts';
import { profileKeyFile } from '../profile.ts';
import {
  PROFILE_OPTION,
  profileNameOf,
  readInput,
  readSettings,
  required,
  SERVICE_OPTIONS,
} from '../settings.ts';

/** RFC 8410: PKCS #8 around an Ed25519 seed, and SPKI around its public key. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

export const commands = [
  defineCommand({
    name: 'keys generate',
    summary: 'make an Ed25519 key for an agent',
    options: {
      out: {
        type: 'string',
        placeholder: 'path',
        summary: 'where the private key goes [<profile>.key next to the profile]',
      },
      format: { type: 'string', placeholder: 'seed|pem', summary: 'how it is written [seed]' },
      force: { type: 'boolean', summary: 'replace a file that is already there' },
      ...PROFILE_OPTION,
    },
    details: [
      'The private key is written to a file that only you can read and is never shown or sent.',
      'Register the public key, then prove it with "payassent keys prove".',
    ].join('\n'),
    async run(io, { values }) {
      const { format = 'seed', force = false } = values;
      if (format !== 'seed' && format !== 'pem') throw new UsageError('--format is seed or pem');
      const path = values.out ?? profileKeyFile(io, profileNameOf(io, values));
      const { seed, publicKey } = generateAgentKey();
      const text = format === 'seed' ? `${seed}\n` : pem('PRIVATE KEY', PKCS8_HEAD, seed);
      writePrivateFile(path, text, { overwrite: force });
      const publicPem = pem('PUBLIC KEY', SPKI_HEAD, publicKey);
      return {
        document: { public_key: publicKey, public_key_pem: publicPem, key_file: path, format },
        text: listing([
          ['Public key', publicKey],
          ['Private key', `${path} (only you can read it)`],
        ]),
      };
    },
  }),
  defineCommand({
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
    async run(io, { values }) {
      const settings = readSettings(io, values);
      const stated = required(values.challenge, '--challenge');
      const challenge = stated === '-' ? (await readInput(io, '-')).trim() : stated;
      const { agentId, kid, key } = await readAgent(io, settings, values);
      const expected = { baseUrl: settings.baseUrl, agentId, kid };
      const signature = await signCredentialChallenge(challenge, key, expected).catch((error: unknown) => {
        throw error instanceof TypeError || error instanceof RangeError
          ? new UsageError(error.message)
          : error;
      });
      return { document: { challenge, signature, public_key: key.publicKey }, text: signature };
    },
  }),
  defineCommand({
    name: 'agent token',
    summary: 'exchange a signed assertion for a short agent token',
    options: { ...SERVICE_OPTIONS, ...AGENT_OPTIONS },
    details:
      'Prints the token alone on stdout, for use in scripts; with --json also its scopes and its life.',
    async run(io, { values, isJson }) {
      const { agent } = await openAgent(io, readSettings(io, values), values, isJson);
      const token = await agent.exchangeAssertion({ signal: io.signal });
      const { note } = createOutput(io, isJson);
      note(`Works for ${token.expires_in} s. Scopes: ${token.scopes.join(', ')}`);
      return { document: token, text: token.agent_token };
    },
  }),
];

function pem(label: string, head: Buffer, key: string): string {
  const body = Buffer.concat([head, Buffer.from(key, 'base64url')]).toString('base64');
  return `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----\n`;
}
