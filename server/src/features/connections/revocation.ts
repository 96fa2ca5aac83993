import type { Act } from '../../act.ts';
import { type Database, type Tx, transaction } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import { jobTopic } from '../../jobs/job.ts';
import { rejectPendingOfConnection } from '../../payments/index.ts';
import type { WalletPrincipal } from '../../principals.ts';
import { rejectIntentsOfConnection } from '../agent-payments/close.ts';
import { AGENT_REVOCATION_JOB } from '../agents/usable.ts';
import { type AuditActor, audit, auditActor, recordAudit, SYSTEM_ACTOR } from '../audit/record.ts';
import { revokePolicyBatch } from '../automation-policies/stop.ts';
import { connectionTopic, walletTopic } from '../callers/topics.ts';
import { queueWebhook } from '../webhooks/queue.ts';
import { withdrawAllConnectKeys } from './connect-keys.ts';
import {
  type ConnectionOwner,
  type LockedConnection,
  lockConnection,
  lockNextConnectionOf,
  setConnectionStatus,
} from './connection-sql.ts';
import { readConnection } from './connections.ts';
import { rejectInvitationsOfWallet } from './invitation-sql.ts';
import {
  type DueRevocation,
  endConnectionsOfWallet,
  enqueueRevocation,
  findRevocation,
  finishRevocation,
  hasLivingPolicies,
  listRevocationsOfWallet,
  markAnnounced,
} from './revocation-sql.ts';
import { type ConnectionRow, connectionView } from './view.ts';

interface RevokedConnection {
  connectionId: string;
  merchantId: string;
}

/**
 * What ends together with a connection. Its commit alone ends everything that awaits a decision, for every reader;
 * these close it, a batch per call, outside that transaction. Each returns whether anything of the connection is left.
 */
type Follower = (db: Database, act: Act, connection: RevokedConnection) => Promise<boolean>;

const FOLLOWERS: readonly Follower[] = [
  rejectPendingOfConnection,
  rejectIntentsOfConnection,
  revokePoliciesInBatches,
];

/** Why the service itself revoked; stored in the audit entry. */
type RevocationCause = 'agent_revoked' | 'last_device_deleted';

/**
 * A fixed number of statements, whatever the connection has pending. The caller calls `closeRevoked` after the commit.
 */
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

async function endConnection(
  tx: Tx,
  act: Act,
  actor: AuditActor,
  locked: LockedConnection,
  cause?: RevocationCause,
): Promise<ConnectionRow> {
  const { connection_id: connectionId, wallet_id: walletId } = locked;
  if (locked.status === 'revoked') return readConnection(tx, walletId, connectionId);
  await Promise.all([
    setConnectionStatus(tx, walletId, connectionId, 'revoked', 'system', act.now),
    enqueueRevocation(tx, locked, act.now),
  ]);
  return announceEnd(tx, act, actor, locked, cause);
}

/** The row already has the revocation. The connection's policies end with it, up to one batch. */
async function announceEnd(
  tx: Tx,
  act: Act,
  actor: AuditActor,
  locked: LockedConnection,
  cause?: RevocationCause,
): Promise<ConnectionRow> {
  const { connection_id: connectionId, merchant_id: merchantId, wallet_id: walletId } = locked;
  // Sent in this order on one connection, returned together: a thousand of them wait for half as many responses.
  const [connection] = await Promise.all([
    readConnection(tx, walletId, connectionId),
    revokePolicyBatch(tx, act, { connectionId, merchantId }),
  ]);
  await Promise.all([
    audit(
      tx,
      act,
      actor,
      { merchantId, walletId },
      'connection.revoked',
      connectionId,
      cause === undefined ? {} : { cause },
    ),
    queueWebhook(tx, act, {
      merchantId,
      type: 'connection.revoked',
      data: { connection: connectionView(connection) },
    }),
  ]);
  tx.afterCommit(() =>
    act.announce(connectionTopic(connectionId), walletTopic(walletId), jobTopic(AGENT_REVOCATION_JOB)),
  );
  return connection;
}

async function revokePoliciesInBatches(
  db: Database,
  act: Act,
  connection: RevokedConnection,
): Promise<boolean> {
  if (!(await hasLivingPolicies(db, connection))) return false;
  await transaction(db, (tx) => revokePolicyBatch(tx, act, connection));
  return hasLivingPolicies(db, connection);
}

/**
 * One batch of what a revoked connection leaves open; true when nothing is left. Nothing can be added any more: to
 * store something for a connection, a call locks its row and finds it revoked.
 */
export async function closeRevoked(db: Database, act: Act, connectionId: string): Promise<boolean> {
  const due = await findRevocation(db, connectionId);
  if (!due) return true;
  if (!due.is_announced) await announceClosed(db, act, due);
  const connection = { connectionId, merchantId: due.merchant_id };
  let isLeft = false;
  for (const follow of FOLLOWERS) if (await follow(db, act, connection)) isLeft = true;
  if (!isLeft) await finishRevocation(db, connectionId);
  return !isLeft;
}

/** Right after the commit, so that little is left when the caller reads the response. The job does the rest. */
export async function closeRevokedSoon(db: Database, act: Act, connectionId: string): Promise<void> {
  await closeRevoked(db, act, connectionId).catch(() => undefined);
}

/** Announces a connection that ended with its wallet. */
async function announceClosed(db: Database, act: Act, due: DueRevocation): Promise<void> {
  const { connection_id: connectionId, wallet_id: walletId } = due;
  await transaction(db, async (tx) => {
    const locked = await lockConnection(tx, { kind: 'wallet', walletId }, connectionId);
    if (!locked || !(await markAnnounced(tx, connectionId, act.now))) return;
    if (locked.status !== 'revoked')
      await setConnectionStatus(tx, walletId, connectionId, 'revoked', 'system', act.now);
    await announceEnd(tx, act, SYSTEM_ACTOR, locked, 'last_device_deleted');
  });
}

/** Ends one connection of a revoked agent; false when none is left but those locked by other processes. */
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

/** Begins with what `closeWallet` has ended; the job continues. */
export async function closeConnectionsOfWallet(db: Database, act: Act, walletId: string): Promise<void> {
  for (const connectionId of await listRevocationsOfWallet(db, walletId))
    await closeRevokedSoon(db, act, connectionId);
}

/**
 * The last device is gone: whatever could still become a connection is closed, and every connection is revoked. The
 * caller has locked the wallet and calls `closeConnectionsOfWallet` after the commit.
 */
export async function closeWallet(tx: Tx, act: Act, principal: WalletPrincipal): Promise<void> {
  const { walletId } = principal;
  const actor = auditActor(principal);
  const keyIds = await withdrawAllConnectKeys(tx, walletId);
  const invitations = await rejectInvitationsOfWallet(tx, walletId, act.now);
  await recordAudit(
    tx,
    act,
    ...keyIds.map((id) => ({
      merchantId: null,
      type: 'connect_key.withdrawn' as const,
      actor,
      target: { type: 'connect_key' as const, id },
      details: { wallet_id: walletId, cause: 'last_device_deleted' },
    })),
    ...invitations.map((invitation) => ({
      merchantId: invitation.merchant_id,
      type: 'connect_invitation.rejected' as const,
      actor,
      target: { type: 'connect_invitation' as const, id: invitation.connect_invitation_id },
      details: { cause: 'last_device_deleted' },
    })),
  );
  const connectionIds = await endConnectionsOfWallet(tx, walletId, act.now);
  tx.afterCommit(() => act.announce(...connectionIds.map(connectionTopic), jobTopic(AGENT_REVOCATION_JOB)));
}
