import type { Act } from '../../act.ts';
import { type Database, type Tx, transaction } from '../../db/open.ts';
import { SYSTEM_ACTOR } from '../audit/record.ts';
import { announcePolicies } from './announce.ts';
import { type DuePolicies, expirePolicies, hasDuePolicies } from './end-sql.ts';
import type { PolicyRow } from './view.ts';

/** Ends the policies whose window is over, once each, no matter who comes first. Answers how many. */
export async function expireDuePolicies(tx: Tx, act: Act, due: DuePolicies): Promise<number> {
  const expired = await expirePolicies(tx, due, act.now);
  const changed = expired.map((row) => ({
    policyId: row.policy_id,
    merchantId: row.merchant_id,
    occurredAt: row.valid_until,
  }));
  await announcePolicies(tx, act, SYSTEM_ACTOR, changed, 'expired');
  return expired.length;
}

/** Its window is over and nobody has noted it yet. */
export function isOver(policy: Pick<PolicyRow, 'status' | 'valid_until'>, now: Date): boolean {
  const { status, valid_until: until } = policy;
  return (status === 'active' || status === 'paused') && until !== null && until <= now;
}

/** For callers who are about to see policies of a connection: what reads `expired` has its event. */
export async function settlePoliciesOf(
  db: Database,
  act: Act,
  connectionIds: Iterable<string>,
): Promise<boolean> {
  let settled = 0;
  for (const connectionId of new Set(connectionIds)) {
    if (await hasDuePolicies(db, act.now, { connectionId }))
      settled += await transaction(db, (tx) => expireDuePolicies(tx, act, { connectionId }));
  }
  return settled > 0;
}
