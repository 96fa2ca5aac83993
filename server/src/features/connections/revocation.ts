import type { Act } from '../../act.ts';
import { type Database, type Tx, transaction } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import { rejectIntentsOfConnection } from '../agent-payments/settle.ts';
import { type AuditActor, recordAudit, SYSTEM_ACTOR } from '../audit/record.ts';
import { revokePoliciesOfConnection } from '../automation-policies/stop.ts';
import { connectionTopic, walletTopic } from '../callers/topics.ts';
import { rejectPendingOfConnection } from '../payment-requests/settle.ts';
import { queueWebhook } from '../webhooks/queue.ts';
import {
  type ConnectionOwner,
  type LockedConnection,
  lockConnection,
  lockNextConnectionOf,
  setConnectionStatus,
} from './connection-sql.ts';
import { readConnection } from './create-connection.ts';
import { listDueRevocations, settleRevocation } from './revocation-sql.ts';
import { type ConnectionRow, connectionView } from './view.ts';

export interface RevokedConnection {
  connectionId: string;
  merchantId: string;
  walletId: string;
}

/**
 * What ends together with a connection, in the same transaction. A follower runs after the connection's row is
 * locked and reads `revoked`; it locks requests, then heads, then policies, and only of this one connection.
 */
export type RevocationFollower = (tx: Tx, act: Act, connection: RevokedConnection) => Promise<void>;

/** In the order in which they lock. */
const FOLLOWERS: readonly RevocationFollower[] = [
  rejectPendingOfConnection,
  rejectIntentsOfConnection,
  revokePoliciesOfConnection,
];

/** Why the service itself revoked; written into the audit record. */
export type RevocationCause = 'agent_revoked' | 'last_device_deleted';

export async function revokeConnection(
  tx: Tx,
  act: Act,
  actor: AuditActor,
  owner: ConnectionOwner,
  connectionId: string,
): Promise<ConnectionRow> {
  const locked = await lockConnection(tx, owner, connectionId);
  if (!locked) throw notFound();
  return endConnection(tx, act, actor, locked);
}

/**
 * One connection per transaction, always: followers of two connections in one transaction could meet another
 * worker's locks in the opposite order.
 */
async function endConnection(
  tx: Tx,
  act: Act,
  actor: AuditActor,
  locked: LockedConnection,
  cause?: RevocationCause,
): Promise<ConnectionRow> {
  const { connection_id: connectionId, merchant_id: merchantId, wallet_id: walletId } = locked;
  if (locked.status === 'revoked') return readConnection(tx, walletId, connectionId);
  // Sent in this order on one connection, answered together: a thousand of them wait for half as many answers.
  const [, , connection] = await Promise.all([
    setConnectionStatus(tx, walletId, connectionId, 'revoked', act.now),
    runFollowers(tx, act, { connectionId, merchantId, walletId }),
    readConnection(tx, walletId, connectionId),
  ]);
  await Promise.all([
    recordAudit(tx, act, {
      merchantId,
      walletId,
      type: 'connection.revoked',
      actor,
      target: { type: 'connection', id: connectionId },
      details: cause === undefined ? {} : { cause },
    }),
    queueWebhook(tx, act, {
      merchantId,
      type: 'connection.revoked',
      data: { connection: connectionView(connection) },
    }),
  ]);
  tx.afterCommit(() => act.announce(connectionTopic(connectionId), walletTopic(walletId)));
  return connection;
}

async function runFollowers(tx: Tx, act: Act, connection: RevokedConnection): Promise<void> {
  for (const follow of FOLLOWERS) await follow(tx, act, connection);
}

/** Works off one connection of a revoked agent; false when none is left that is not being worked on. */
export async function revokeNextOfAgent(
  db: Database,
  act: Act,
  agent: { merchantId: string; agentId: string },
): Promise<boolean> {
  return transaction(db, async (tx) => {
    const locked = await lockNextConnectionOf(tx, agent.merchantId, agent.agentId);
    if (locked) await endConnection(tx, act, SYSTEM_ACTOR, locked, 'agent_revoked');
    return locked !== undefined;
  });
}

/** Revokes what `closeWallet` has put on the list; repeated by the background job should this process die. */
export async function settleWallet(db: Database, act: Act, walletId: string): Promise<void> {
  const owner = { kind: 'wallet', walletId } as const;
  for (const connectionId of await listDueRevocations(db, walletId)) {
    await transaction(db, async (tx) => {
      const locked = await lockConnection(tx, owner, connectionId);
      if (locked) await endConnection(tx, act, SYSTEM_ACTOR, locked, 'last_device_deleted');
      await settleRevocation(tx, walletId, connectionId);
    });
  }
}
