import { type Act, createAct } from '../../act.ts';
import type { Context } from '../../context.ts';
import { type Tx, transaction } from '../../db/open.ts';
import type { Job } from '../../jobs/job.ts';
import { AGENT_REVOCATION_JOB } from '../agents/usable.ts';
import { recordAudit, SYSTEM_ACTOR } from '../audit/record.ts';
import { rejectInvitationsOfAgent } from './invitation-sql.ts';
import { rejectSessionsOfAgent } from './pairing-sql.ts';
import { closeRevoked, revokeNextOfAgent } from './revocation.ts';
import {
  finishRevokedAgent,
  listDueRevocations,
  listRevokedAgents,
  type RevokedAgent,
} from './revocation-sql.ts';

/** The work of one turn, so that neither other agents nor the shutdown wait long. */
const BATCH = 50;
/** Concurrently; few, because callers share the connection pool. */
const WORKERS = 2;

/**
 * A revoked agent loses its rights with its own row; this updates its connections, invitations and sessions, one
 * transaction each, and closes in batches what revoked connections leave open. Several processes may run it
 * concurrently.
 */
export const revocationJob: Job = {
  name: AGENT_REVOCATION_JOB,
  everyMs: 2000,
  async run(context) {
    const isMoreLeft = await closeDueConnections(context);
    return (await closeRevokedAgents(context)) || isMoreLeft;
  },
};

/** A batch of each that is due; a failing one must not delay the others. */
async function closeDueConnections(context: Context): Promise<boolean> {
  const act = createAct(context, `job_${AGENT_REVOCATION_JOB}`);
  const failures: unknown[] = [];
  let more = false;
  for (const connectionId of await listDueRevocations(context.db)) {
    if (context.stopping.aborted) return false;
    try {
      if (!(await closeRevoked(context.db, act, connectionId))) more = true;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return more;
}

/** A failing agent must not delay the others: its error is thrown after all of them have had a turn. */
async function closeRevokedAgents(context: Context): Promise<boolean> {
  const failures: unknown[] = [];
  let more = false;
  for (const row of await listRevokedAgents(context.db)) {
    if (context.stopping.aborted) return false;
    try {
      if (!(await closeRevokedAgent(context, row))) more = true;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return more;
}

/** One bounded turn for one agent; true when nothing of it is left to do. */
async function closeRevokedAgent(context: Context, row: RevokedAgent): Promise<boolean> {
  const agent = { merchantId: row.merchant_id, agentId: row.agent_id };
  const act = createAct(context, `job_${AGENT_REVOCATION_JOB}`);
  const isMoreOpen = await transaction(context.db, (tx) => closeRequestsOfAgent(tx, act, agent, BATCH));
  const revoked = await Promise.all(Array.from({ length: WORKERS }, () => revokeSome(context, act, agent)));
  if (isMoreOpen || revoked.some((count) => count === BATCH / WORKERS)) return false;
  await finishRevokedAgent(context.db, row);
  return true;
}

async function revokeSome(
  context: Context,
  act: Act,
  agent: { merchantId: string; agentId: string },
): Promise<number> {
  let count = 0;
  while (count < BATCH / WORKERS && (await revokeNextOfAgent(context.db, act, agent))) count += 1;
  return count;
}

/**
 * Rejects undecided invitations and pairing sessions of a revoked agent, at most `limit` of each kind; true when there
 * may be more.
 */
async function closeRequestsOfAgent(
  tx: Tx,
  act: Act,
  agent: { merchantId: string; agentId: string },
  limit: number,
): Promise<boolean> {
  const invitations = await rejectInvitationsOfAgent(tx, agent, act.now, limit);
  const sessions = await rejectSessionsOfAgent(tx, agent, act.now, limit);
  const common = {
    merchantId: agent.merchantId,
    actor: SYSTEM_ACTOR,
    details: { cause: 'agent_revoked' },
  };
  await recordAudit(
    tx,
    act,
    ...invitations.map((row) => ({
      ...common,
      walletId: row.wallet_id,
      type: 'connect_invitation.rejected' as const,
      target: { type: 'connect_invitation' as const, id: row.connect_invitation_id },
    })),
    ...sessions.map((id) => ({
      ...common,
      type: 'pairing_session.rejected' as const,
      target: { type: 'pairing_session' as const, id },
    })),
  );
  return invitations.length === limit || sessions.length === limit;
}
