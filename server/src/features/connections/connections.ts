import type { Issue, Scope } from '@payassent/protocol';
import type { CurrentConnection } from '@payassent/protocol/records';
import type { Act } from '../../act.ts';
import type { Database, Sql, Tx } from '../../db/open.ts';
import { AppError, notFound } from '../../errors.ts';
import { toTimestampOrNull } from '../../lib/clock.ts';
import type { Keys } from '../../lib/keys.ts';
import type { ConnectionPrincipal, WalletPrincipal } from '../../principals.ts';
import { type AuditActor, audit, auditActor, recordAudit } from '../audit/record.ts';
import { openPoliciesOf } from '../automation-policies/list.ts';
import { connectionTopic } from '../callers/topics.ts';
import { queueWebhook } from '../webhooks/queue.ts';
import {
  findConnection,
  insertConnection,
  lockConnection,
  markNamesSeen,
  setConnectionStatus,
} from './connection-sql.ts';
import { issueToken } from './tokens.ts';
import { type ConnectionRow, connectionView } from './view.ts';

interface ConnectionGrant {
  merchantId: string;
  agentId: string;
  walletId: string;
  /** Exactly what the customer approved. */
  scopes: readonly Scope[];
  /** The wallet is shown the token. */
  isTokenShared: boolean;
  /** The names of agent and merchant at the customer's approval; by default the current ones. */
  seenNames?: { agent: string | null; merchant: string | null };
}

/** Called by invitations and pairing after the wallet has approved. Nothing else creates a connection. */
export async function createConnection(
  tx: Tx,
  act: Act,
  keys: Keys,
  actor: AuditActor,
  grant: ConnectionGrant,
): Promise<{ connection: ConnectionRow; token: string }> {
  const connectionId = act.newId('con');
  await insertConnection(tx, { connectionId, ...grant }, act.now);
  const of = { merchantId: grant.merchantId, connectionId };
  const token = await issueToken(tx, act, keys, of, { generation: 1, isShared: grant.isTokenShared });
  const connection = await readConnection(tx, grant.walletId, connectionId);
  await audit(
    tx,
    act,
    actor,
    { merchantId: grant.merchantId, walletId: grant.walletId },
    'connection.created',
    connectionId,
    { agent_id: grant.agentId, scopes: [...grant.scopes] },
  );
  await queueWebhook(tx, act, {
    merchantId: grant.merchantId,
    type: 'connection.created',
    data: { connection: connectionView(connection) },
  });
  return { connection, token };
}

/** A connection that this transaction has created or locked. */
export async function readConnection(tx: Tx, walletId: string, connectionId: string): Promise<ConnectionRow> {
  const row = await findConnection(tx, { kind: 'wallet', walletId }, connectionId);
  if (!row) throw new Error(`connection ${connectionId} is gone within its own transaction`);
  return row;
}

const EVENT = { paused: 'connection.paused', active: 'connection.resumed' } as const;

interface ConnectionChange {
  status?: 'paused' | 'active';
  seen_names?: { agent?: string; merchant?: string };
}

/**
 * Setting the status it already has changes nothing and announces nothing. Which names the customer saw is never
 * announced.
 */
export async function changeConnection(
  tx: Tx,
  act: Act,
  principal: WalletPrincipal,
  connectionId: string,
  { status, seen_names: names }: ConnectionChange,
): Promise<ConnectionRow> {
  const owner = { kind: 'wallet', walletId: principal.walletId } as const;
  if (!(await lockConnection(tx, owner, connectionId))) throw notFound();
  const current = await findConnection(tx, owner, connectionId);
  if (!current) throw notFound();
  if (current.status === 'revoked') throw new AppError('connection_revoked');
  if (names !== undefined) await markNamesSeen(tx, principal.walletId, connectionId, names);
  if (status === undefined || current.status === status)
    return readConnection(tx, principal.walletId, connectionId);

  await setConnectionStatus(tx, principal.walletId, connectionId, status, 'wallet', act.now);
  const connection = await readConnection(tx, principal.walletId, connectionId);
  const { merchant_id: merchantId } = connection;
  await recordAudit(tx, act, {
    merchantId,
    type: EVENT[status],
    actor: auditActor(principal),
    target: { type: 'connection', id: connectionId },
  });
  await queueWebhook(tx, act, {
    merchantId,
    type: EVENT[status],
    data: { connection: connectionView(connection) },
  });
  tx.afterCommit(() => act.announce(connectionTopic(connectionId)));
  return connection;
}

/** Enough to show that there are very many, where no cap bounds them. */
const MOST_COUNTED = 100_000;

/** The state of a connected agent. */
export async function readCurrentConnection(
  db: Database,
  act: Act,
  { merchantId, agentId, connectionId, walletId, scopes }: ConnectionPrincipal,
  maxPending: number,
): Promise<CurrentConnection> {
  const row = await findConnection(db, { kind: 'agent', merchantId, agentId }, connectionId);
  if (!row) throw notFound();
  const { last_seen_at, has_push, pending } = await readWalletState(
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

interface WalletState {
  last_seen_at: Date | null;
  has_push: boolean;
  pending: number;
}

async function readWalletState(
  sql: Sql,
  { merchantId, connectionId, walletId }: { merchantId: string; connectionId: string; walletId: string },
  maxPending: number,
  now: Date,
): Promise<WalletState> {
  const [row] = await sql<[Omit<WalletState, 'pending'>]>`
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

export function connectionChangeIssues(body: { status?: unknown; seen_names?: unknown }): Issue[] {
  if (body.status !== undefined || body.seen_names !== undefined) return [];
  return [{ field: 'status', code: 'required', message: 'Name what to change: status or seen_names.' }];
}

/** What a wallet approves must have been requested. */
export function notRequestedIssues(scopes: readonly string[], requested: readonly Scope[]): Issue[] {
  return scopes.flatMap((scope, index): Issue[] =>
    (requested as readonly string[]).includes(scope)
      ? []
      : [
          {
            field: `scopes[${index}]`,
            code: 'scope_not_allowed',
            message: `scopes[${index}] was not requested; approve some of ${requested.join(', ')}.`,
          },
        ],
  );
}
