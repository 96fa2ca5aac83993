import { createAct } from '../../act.ts';
import type { Context } from '../../context.ts';
import { transaction } from '../../db/open.ts';
import type { Job } from '../../jobs/job.ts';
import { AGENT_REVOCATION_JOB } from '../agents/usable.ts';
import { closeRequestsOfAgent } from './close-agent.ts';
import { revokeNextOfAgent, settleWallet } from './revocation.ts';
import { finishRevokedAgent, listRevokedAgents, listWalletsWithDueRevocations } from './revocation-sql.ts';

/** Work of one turn, so that other jobs and the shutdown never wait long. */
const CONNECTIONS_PER_TURN = 50;

/**
 * A revoked agent has lost its rights with its own row already; this makes its connections, invitations and
 * sessions say so, one transaction each. Several processes may do it side by side.
 */
export const revocationJob: Job = {
  name: AGENT_REVOCATION_JOB,
  everyMs: 2000,
  async run(context) {
    const act = createAct(context, `job_${AGENT_REVOCATION_JOB}`);
    for (const walletId of await listWalletsWithDueRevocations(context.db)) {
      await settleWallet(context.db, act, walletId);
    }
    return workOffAgents(context);
  },
};

async function workOffAgents(context: Context): Promise<boolean> {
  let budget = CONNECTIONS_PER_TURN;
  for (const row of await listRevokedAgents(context.db)) {
    const agent = { merchantId: row.merchant_id, agentId: row.agent_id };
    const act = createAct(context, `job_${AGENT_REVOCATION_JOB}`);
    await transaction(context.db, (tx) => closeRequestsOfAgent(tx, act, agent, CONNECTIONS_PER_TURN));
    while (budget > 0 && (await revokeNextOfAgent(context.db, act, agent))) budget -= 1;
    if (budget === 0 || context.stopping.aborted) return !context.stopping.aborted;
    await finishRevokedAgent(context.db, row);
  }
  return false;
}
