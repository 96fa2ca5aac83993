import type { Act } from '../../act.ts';
import { type Database, type Tx, transaction } from '../../db/open.ts';
import { merchantsInTurn } from '../../payments/index.ts';
import { SYSTEM_ACTOR } from '../audit/record.ts';
import { announcePolicies } from './announce.ts';
import { type DuePolicies, expirePolicies, findDuePolicies, hasDuePolicies } from './end-sql.ts';
import type { PolicyRow } from './view.ts';

/** Ends the policies whose window is over, once each, no matter who comes first. Answers how many. */
async function expireDuePolicies(tx: Tx, act: Act, due: DuePolicies): Promise<number> {
  const expired = await expirePolicies(tx, due, act.now);
  const changed = expired.map((row) => ({ policyId: row.policy_id, occurredAt: row.valid_until }));
  await announcePolicies(tx, act, SYSTEM_ACTOR, due.merchantId, changed, 'expired');
  return expired.length;
}

/** Few enough that nobody waits for long. */
const BATCH = 50;

/** For those that no call has met yet. True when there may be more. */
export async function expirePoliciesOfAll(db: Database, act: Act): Promise<boolean> {
  return merchantsInTurn(await findDuePolicies(db, act.now, BATCH), BATCH, (merchantId) =>
    transaction(db, (tx) => expireDuePolicies(tx, act, { merchantId, limit: BATCH })),
  );
}

/** Its window is over and nobody has noted it yet. */
export function isOver(policy: Pick<PolicyRow, 'status' | 'valid_until'>, now: Date): boolean {
  const { status, valid_until: until } = policy;
  return (status === 'active' || status === 'paused') && until !== null && until <= now;
}

/** For callers who are about to see policies of these connections: what reads `expired` has its event. */
export async function settlePoliciesOf(
  db: Database,
  act: Act,
  policies: readonly Pick<PolicyRow, 'merchant_id' | 'connection_id'>[],
): Promise<boolean> {
  let settled = 0;
  const merchants = new Map(policies.map((policy) => [policy.connection_id, policy.merchant_id]));
  for (const [connectionId, merchantId] of merchants) {
    const connection = { merchantId, connectionId };
    if (await hasDuePolicies(db, connection, act.now))
      settled += await transaction(db, (tx) => expireDuePolicies(tx, act, connection));
  }
  return settled > 0;
}
