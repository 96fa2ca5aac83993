import {
  type ClaimStatus,
  type PublishedKey,
  type VerifiedClaim,
  verifyEvidence,
} from '@payassent/protocol/evidence';
import { defineCommand, EXIT, UsageError } from '../command.ts';
import { createOutput, plain } from '../output.ts';
import { readInput, required } from '../settings.ts';

const MARKS: Record<ClaimStatus, string> = {
  holds: '✓ ',
  broken: '✗ ',
  not_claimed: '– ',
  service_word: '• ',
};
const WORDS: Partial<Record<ClaimStatus, string>> = {
  not_claimed: 'not claimed: ',
  service_word: "the service's word: ",
};

export const commands = [
  defineCommand({
    name: 'verify',
    summary: 'verify the evidence of a payment, without the service',
    positionals: '<file>',
    options: {
      keys: {
        type: 'string',
        placeholder: 'file',
        summary: 'the published keys of the service (/.well-known/svc-keys.json)',
      },
      checkpoint: {
        type: 'string',
        placeholder: 'file',
        summary: 'a checkpoint of the log that was seen elsewhere',
      },
      witness: {
        type: 'string',
        placeholder: 'vkey',
        multiple: true,
        summary: 'a witness that must have cosigned, by its verifier key',
      },
    },
    details: [
      'Prints every claim: ✓ for what a signature, digest or inclusion proof in the evidence shows, ✗ for what contradicts',
      'one, "not claimed", or "the service\'s word" for what nothing in the evidence shows. Ends with 1 when a claim is ✗,',
      'otherwise with 0. Nothing is sent anywhere. What each claim proves, and what it does not, is in docs/auditors/README.md.',
    ].join('\n'),
    async run(io, { values, positionals, isJson }) {
      const [file, ...more] = positionals;
      if (!file || more.length > 0) throw new UsageError('Give one file with evidence');
      const keys = readKeys(await readInput(io, required(values.keys, '--keys')));
      const bundle = (await readInput(io, file)).replace(/\n$/, '');
      const verified = verifyEvidence(bundle, {
        keys,
        ...(values.checkpoint === undefined ? {} : { checkpoint: await readInput(io, values.checkpoint) }),
        ...(values.witness === undefined ? {} : { witnesses: values.witness }),
      });
      createOutput(io, isJson).result(verified, verified.claims.map(told).join('\n'));
      return verified.ok ? EXIT.ok : EXIT.refused;
    },
  }),
];

/** The explanation is on one line, so that text from a bundle cannot pass for a separate claim. */
function told({ claim, status, explanation }: VerifiedClaim): string {
  return `${MARKS[status]}${claim.padEnd(18)} ${WORDS[status] ?? ''}${plain(explanation)}`;
}

function readKeys(text: string): readonly PublishedKey[] {
  try {
    const { keys } = JSON.parse(text) as { keys?: unknown };
    if (Array.isArray(keys)) return keys as PublishedKey[];
  } catch {
    // Reported below.
  }
  throw new UsageError('--keys is no list of keys: download /.well-known/svc-keys.json from the service');
}
