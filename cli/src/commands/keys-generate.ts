import { generateAgentKey } from '@payassent/sdk';
import { defineCommand, UsageError } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { createOutput, listing } from '../output.ts';
import { writePrivateFile } from '../private-file.ts';
import { profileKeyFile } from '../profile.ts';
import { PROFILE_OPTION, profileNameOf } from '../settings.ts';

/** RFC 8410: PKCS #8 around an Ed25519 seed, and SPKI around its public key. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

export const keysGenerate = defineCommand({
  name: 'keys generate',
  summary: 'make an Ed25519 key for an agent',
  options: {
    out: {
      type: 'string',
      placeholder: 'path',
      summary: 'where the private key goes [<profile>.key beside the profile]',
    },
    format: { type: 'string', placeholder: 'seed|pem', summary: 'how it is written [seed]' },
    force: { type: 'boolean', summary: 'replace a file that is already there' },
    ...PROFILE_OPTION,
  },
  details: [
    'The private key is written to a file that only you can read and is never shown or sent.',
    'Register the public key, then prove it with "payassent keys prove".',
  ].join('\n'),
  async run(io, { values, isJson }) {
    const format = values.format ?? 'seed';
    if (format !== 'seed' && format !== 'pem') throw new UsageError('--format is seed or pem');
    const path = values.out ?? profileKeyFile(io, profileNameOf(io, values));
    const { seed, publicKey } = generateAgentKey();
    const text = format === 'seed' ? `${seed}\n` : pem('PRIVATE KEY', PKCS8_HEAD, seed);
    writePrivateFile(path, text, { overwrite: values.force === true });
    const publicPem = pem('PUBLIC KEY', SPKI_HEAD, publicKey);
    const document = { public_key: publicKey, public_key_pem: publicPem, key_file: path, format };
    createOutput(io, isJson).result(
      document,
      listing([
        ['Public key', publicKey],
        ['Private key', `${path} (only you can read it)`],
      ]),
    );
    return EXIT.ok;
  },
});

function pem(label: string, head: Buffer, key: string): string {
  const body = Buffer.concat([head, Buffer.from(key, 'base64url')]).toString('base64');
  return `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----\n`;
}
