import type { Database, Tx } from '../../db/open.ts';
import { mayBecome } from '../../db/status.ts';
import type { DueRow } from '../../payments/index.ts';

/** Ends up to `limit` policies of a connection and answers which. Locked in their order, like everywhere. */
export async function revokeSome(
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

export interface ExpiredPolicy {
  policy_id: string;
  valid_until: Date;
}

/** Which policies of a merchant are looked at: those of one connection, or whatever nobody else is working on. */
export type DuePolicies = { merchantId: string } & ({ connectionId: string } | { limit: number });

export async function expirePolicies(tx: Tx, due: DuePolicies, now: Date): Promise<ExpiredPolicy[]> {
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

/** Cheap enough to ask before every call: most of the time nothing is due. */
export async function hasDuePolicies(
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

/** Those that have been due for longest. */
export function findDuePolicies(db: Database, now: Date, limit: number): Promise<DueRow[]> {
  return db<DueRow[]>`
    select merchant_id from automation_policies
    where status in ('active', 'paused') and valid_until <= ${now} order by valid_until limit ${limit}`;
}
