import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../stage/root.ts';
import { INVARIANTS } from '../check/index.ts';
import { readMutations } from './patches.ts';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const MUTATIONS = readMutations(FOLDER);

describe('the mutations', () => {
  it.each(MUTATIONS)(
    '$name still applies and names its invariant',
    ({ name, file, removes, foundBy, applies, leftOut }) => {
      if (applies) execFileSync('git', ['apply', '--check', file], { cwd: ROOT });
      else process.stderr.write(`left out: ${name}, because ${leftOut}\n`);
      expect(removes).not.toBe('');
      expect(Object.keys(INVARIANTS)).toEqual(expect.arrayContaining(foundBy));
    },
  );

  it('take away each guard that must be watched', () => {
    const names = MUTATIONS.map((mutation) => mutation.name);
    expect(names).toEqual(
      expect.arrayContaining([
        'cap-check',
        'claimed-payment',
        'delivery-lease',
        'event-counter',
        'idempotency-constraint',
        'key-by-token',
        'log-spelling',
        'lost-domain',
        'majority-of-one',
        'one-time-update',
        'payee-change',
        'pending-row',
        'seen-payees',
        'shared-token',
        'unsigned-approval',
      ]),
    );
  });
});
