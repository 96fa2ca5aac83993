import { type PublishedKey, type VerifiedClaim, verifyEvidence } from '@payassent/protocol/evidence';
import { defineCommand, UsageError } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { createOutput } from '../output.ts';
import { readInput, required } from '../settings.ts';

const MARKS = { holds: '✓', broken: '✗', not_claimed: '–' } as const;

export const verify = defineCommand({
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
    'Prints every claim with ✓, ✗ or "not claimed", and ends with 0 only when all that are claimed hold. Nothing is sent',
    'anywhere. What each claim proves, and what it does not, is in docs/AUDITORS.md.',
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
});

function told({ claim, status, explanation }: VerifiedClaim): string {
  const label = claim.padEnd(18);
  return `${MARKS[status]} ${label} ${status === 'not_claimed' ? `not claimed: ${explanation}` : explanation}`;
}

function readKeys(text: string): readonly PublishedKey[] {
  try {
    const { keys } = JSON.parse(text) as { keys?: unknown };
    if (Array.isArray(keys)) return keys as PublishedKey[];
  } catch {
    // Told below.
  }
  throw new UsageError('--keys is no list of keys: download /.well-known/svc-keys.json from the service');
}
