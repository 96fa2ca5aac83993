import type { Scope } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import type { Keys } from '../../lib/keys.ts';
import { type AuditActor, recordAudit } from '../audit/record.ts';
import { queueWebhook } from '../webhooks/queue.ts';
import { findConnection, insertConnection } from './connection-sql.ts';
import { issueToken } from './tokens.ts';
import { type ConnectionRow, connectionView } from './view.ts';

export interface ConnectionGrant {
  merchantId: string;
  agentId: string;
  walletId: string;
  /** Exactly what the user approved. */
  scopes: readonly Scope[];
  /** The wallet is shown the token. */
  isTokenShared: boolean;
  /** What agent and merchant were called when the user approved; now, unless stated. */
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
  await recordAudit(tx, act, {
    merchantId: grant.merchantId,
    walletId: grant.walletId,
    type: 'connection.created',
    actor,
    target: { type: 'connection', id: connectionId },
    details: { agent_id: grant.agentId, scopes: [...grant.scopes] },
  });
  await queueWebhook(tx, act, {
    merchantId: grant.merchantId,
    type: 'connection.created',
    data: { connection: connectionView(connection) },
  });
  return { connection, token };
}

/** A connection that this transaction has made or locked. */
export async function readConnection(tx: Tx, walletId: string, connectionId: string): Promise<ConnectionRow> {
  const row = await findConnection(tx, { kind: 'wallet', walletId }, connectionId);
  if (!row) throw new Error(`connection ${connectionId} is gone within its own transaction`);
  return row;
}
