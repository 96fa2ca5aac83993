import type { Act } from '../../act.ts';
import { type Database, type Tx, transaction } from '../../db/open.ts';
import { mayBecome } from '../../db/status.ts';
import { type DueRow, merchantsInTurn } from '../../payments/index.ts';
import { SYSTEM_ACTOR } from '../audit/record.ts';
import { refuseRevoked } from '../project-access/connection.ts';
import type { ProjectCaller } from '../project-access/reach.ts';
import { actorOf, announcePolicies, announcePolicy } from './announce.ts';
import { impossible, moverOf, openPolicy } from './open-policy.ts';
import { updatePolicy } from './sql.ts';
import type { PolicyRow } from './view.ts';

/** Stopping needs no version: it is never too late to allow less. */
export async function pausePolicy(
  tx: Tx,
  act: Act,
  caller: ProjectCaller,
  policyId: string,
): Promise<PolicyRow> {
  const { policy, connection } = await openPolicy(tx, act, caller, policyId);
  refuseRevoked(connection);
  if (policy.status === 'paused') return policy;
  if (policy.status !== 'active') throw impossible(policy, 'paused', caller);
  await updatePolicy(tx, policy, { ...policy, status: 'paused' }, moverOf(caller), act.now);
  const { merchant_id: merchantId } = policy;
  return announcePolicy(tx, act, actorOf(caller), { policyId, merchantId }, 'paused');
}

export async function revokePolicy(
  tx: Tx,
  act: Act,
  caller: ProjectCaller,
  policyId: string,
): Promise<PolicyRow> {
  const { policy } = await openPolicy(tx, act, caller, policyId);
  if (policy.status === 'revoked') return policy;
  await updatePolicy(tx, policy, { ...policy, status: 'revoked' }, moverOf(caller), act.now);
  const { merchant_id: merchantId } = policy;
  return announcePolicy(tx, act, actorOf(caller), { policyId, merchantId }, 'revoked');
}

/** A batch of policies ends in few statements, with their audit entries and webhook rows. */
const REVOKE_BATCH = 500;

/** Follows the revocation of a connection, in its transaction: without the connection no consent is left. */
export async function revokePoliciesOfConnection(
  tx: Tx,
  act: Act,
  connection: { connectionId: string; merchantId: string },
): Promise<void> {
  while ((await revokePolicyBatch(tx, act, connection)) === REVOKE_BATCH);
}

/**
 * Ends up to 500 policies of a revoked connection, with everything that follows from it, for callers that spread the
 * work over several transactions. Returns how many: fewer than 500 means that none is left.
 */
export async function revokePolicyBatch(
  tx: Tx,
  act: Act,
  connection: { connectionId: string; merchantId: string },
): Promise<number> {
  const { merchantId } = connection;
  const policyIds = await revokeSome(tx, connection, REVOKE_BATCH, act.now);
  const changed = policyIds.map((policyId) => ({ policyId }));
  await announcePolicies(tx, act, SYSTEM_ACTOR, merchantId, changed, 'revoked');
  return policyIds.length;
}

/** Ends each policy whose window is over exactly once, whichever caller comes first. Returns how many. */
async function expireDuePolicies(tx: Tx, act: Act, due: DuePolicies): Promise<number> {
  const expired = await expirePolicies(tx, due, act.now);
  const changed = expired.map((row) => ({ policyId: row.policy_id, occurredAt: row.valid_until }));
  await announcePolicies(tx, act, SYSTEM_ACTOR, due.merchantId, changed, 'expired');
  return expired.length;
}

/** Small, so that lock waits stay short. */
const BATCH = 50;

/** For those that no call has touched. True when there may be more. */
export async function expirePoliciesOfAll(db: Database, act: Act): Promise<boolean> {
  return merchantsInTurn(await findDuePolicies(db, act.now, BATCH), BATCH, (merchantId) =>
    transaction(db, (tx) => expireDuePolicies(tx, act, { merchantId, limit: BATCH })),
  );
}

/** Its window is over and no transaction has recorded it yet. */
export function isOver(policy: Pick<PolicyRow, 'status' | 'valid_until'>, now: Date): boolean {
  const { status, valid_until: until } = policy;
  return (status === 'active' || status === 'paused') && until !== null && until <= now;
}

/** For callers about to see policies of these connections: what reads `expired` has its event. */
export async function expirePoliciesOf(
  db: Database,
  act: Act,
  policies: readonly Pick<PolicyRow, 'merchant_id' | 'connection_id'>[],
): Promise<boolean> {
  let expired = 0;
  const merchants = new Map(policies.map((policy) => [policy.connection_id, policy.merchant_id]));
  for (const [connectionId, merchantId] of merchants) {
    const connection = { merchantId, connectionId };
    if (await hasDuePolicies(db, connection, act.now))
      expired += await transaction(db, (tx) => expireDuePolicies(tx, act, connection));
  }
  return expired > 0;
}

/** Ends up to `limit` policies of a connection and returns them. Locked in their order, like everywhere. */
async function revokeSome(
  tx: Tx,
  { merchantId, connectionId }: { merchantId: string; connectionId: string },
  limit: number,
  now: Date,
): Promise<string[]> {
  const rows = await tx<{ policy_id: string }[]>`
    with living as materialized (
      select policy_id from automation_policies
      where merchant_id = ${merchantId} and connection_id = ${connectionId} and status <> 'revoked'
      order by policy_id limit ${limit} for update
    )
    update automation_policies p set status = 'revoked', version = p.version + 1, updated_at = ${now}
    from living where p.merchant_id = ${merchantId} and p.policy_id = living.policy_id
      and ${mayBecome(tx, 'automation_policy', 'revoked', 'system', { alias: 'p' })}
    returning p.policy_id`;
  return rows.map((row) => row.policy_id);
}

interface ExpiredPolicy {
  policy_id: string;
  valid_until: Date;
}

/** Which policies of a merchant to examine: those of one connection, or any that no other transaction has locked. */
type DuePolicies = { merchantId: string } & ({ connectionId: string } | { limit: number });

async function expirePolicies(tx: Tx, due: DuePolicies, now: Date): Promise<ExpiredPolicy[]> {
  const { merchantId } = due;
  const chosen =
    'connectionId' in due
      ? tx`and connection_id = ${due.connectionId} order by policy_id for update`
      : tx`order by valid_until limit ${due.limit} for update skip locked`;
  return tx<ExpiredPolicy[]>`
    with due as materialized (
      select policy_id from automation_policies
      where merchant_id = ${merchantId} and ${mayBecome(tx, 'automation_policy', 'expired', 'clock')}
        and valid_until <= ${now} ${chosen}
    )
    update automation_policies p set status = 'expired', version = p.version + 1, updated_at = p.valid_until
    from due where p.merchant_id = ${merchantId} and p.policy_id = due.policy_id
      and ${mayBecome(tx, 'automation_policy', 'expired', 'clock', { alias: 'p' })}
    returning p.policy_id, p.valid_until`;
}

/** Cheap enough to run before every call: most of the time nothing is due. */
async function hasDuePolicies(
  db: Database,
  { merchantId, connectionId }: { merchantId: string; connectionId: string },
  now: Date,
): Promise<boolean> {
  const rows = await db`
    select from automation_policies
    where merchant_id = ${merchantId} and connection_id = ${connectionId} and status in ('active', 'paused')
      and valid_until <= ${now} limit 1`;
  return rows.length > 0;
}

/** Those that are longest overdue. */
function findDuePolicies(db: Database, now: Date, limit: number): Promise<DueRow[]> {
  return db<DueRow[]>`
    select merchant_id from automation_policies
    where status in ('active', 'paused') and valid_until <= ${now} order by valid_until limit ${limit}`;
}
