import { createHash } from 'node:crypto';
import { assertionCounter, type DecisionSignature } from '@payassent/protocol/evidence';
import type { Sql } from '../../db/open.ts';
import { raiseCounter } from './keys-sql.ts';
import { invalidSignature } from './signature-refusal.ts';

/**
 * An authenticator that counts its signatures never uses a number twice: a count that is not above the highest one
 * comes from a copy, or from an assertion that was held back. The same assertion again is a repeat. Called after the
 * signature was verified.
 */
export async function spendCounter(
  sql: Sql,
  key: { walletId: string; thumbprint: string },
  field: string,
  signed: DecisionSignature,
): Promise<void> {
  if (!('webauthn' in signed)) return;
  const counter = assertionCounter(signed.webauthn);
  if (counter === 0) return;
  const { authenticator_data, client_data_json } = signed.webauthn;
  const assertion = createHash('sha256').update(`${authenticator_data} ${client_data_json}`).digest();
  if (!(await raiseCounter(sql, key, counter, assertion)))
    throw invalidSignature(field, 'counter', "the passkey's counter is not above the last one");
}
