import type { CurrentConnection } from '@payassent/protocol/records';
import type { Act } from '../../act.ts';
import type { Database, Sql } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import type { ConnectionPrincipal } from '../../http/principals.ts';
import { toTimestampOrNull } from '../../lib/clock.ts';
import { openPoliciesOf } from '../automation-policies/list.ts';
import { findConnection } from './connection-sql.ts';
import { connectionView } from './view.ts';

/** Enough to tell that there are very many, where no cap bounds them. */
const MOST_COUNTED = 100_000;

/** Where a connected agent stands. */
export async function readCurrentConnection(
  db: Database,
  act: Act,
  { merchantId, agentId, connectionId, walletId, scopes }: ConnectionPrincipal,
  maxPending: number,
): Promise<CurrentConnection> {
  const row = await findConnection(db, { kind: 'agent', merchantId, agentId }, connectionId);
  if (!row) throw notFound();
  const { last_seen_at, has_push, pending } = await findStanding(
    db,
    { merchantId, connectionId, walletId },
    maxPending,
    act.now,
  );
  return {
    connection: connectionView(row),
    effective_scopes: [...scopes],
    policies: await openPoliciesOf(db, act, { merchantId, agentId, connectionId }),
    wallet: { last_seen_at: toTimestampOrNull(last_seen_at), has_push },
    limits: { pending, max_pending: Number.isFinite(maxPending) ? maxPending : null },
  };
}

interface Standing {
  last_seen_at: Date | null;
  has_push: boolean;
  pending: number;
}

async function findStanding(
  sql: Sql,
  { merchantId, connectionId, walletId }: { merchantId: string; connectionId: string; walletId: string },
  maxPending: number,
  now: Date,
): Promise<Standing> {
  const [row] = await sql<[Omit<Standing, 'pending'>]>`
    select (select max(d.last_seen_at) from devices d where d.wallet_id = ${walletId}) as last_seen_at,
           exists (
             select from devices d
             where d.wallet_id = ${walletId} and d.status = 'active' and d.has_push) as has_push`;
  const [counted] = await sql<[{ pending: number }]>`
    select count(*)::int as pending from (
      select from pending_requests p
      where p.merchant_id = ${merchantId} and p.connection_id = ${connectionId} and p.expires_at >= ${now}
      limit ${Math.min(maxPending, MOST_COUNTED)}) p`;
  return { ...row, ...counted };
}
