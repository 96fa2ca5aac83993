import { createAct } from '../../act.ts';
import { transaction } from '../../db/open.ts';
import type { Job } from '../../jobs/job.ts';
import { SECOND_MS } from '../../lib/clock.ts';
import { recordAudit, SYSTEM_ACTOR } from '../audit/record.ts';
import { claimEnding, endCredentialsOf, forgetEnding } from './credential-sql.ts';
import { CREDENTIAL_JOB } from './usable.ts';

const BATCH = 100;

/** Ends the credentials of revoked agents. They are worth nothing since the revocation; now their rows say so. */
export const credentialJob: Job = {
  name: CREDENTIAL_JOB,
  everyMs: 30 * SECOND_MS,
  run: (context) =>
    transaction(context.db, async (tx) => {
      const ending = await claimEnding(tx);
      if (!ending) return false;
      const act = createAct(context, `job-${CREDENTIAL_JOB}`);
      const ended = await endCredentialsOf(tx, ending, BATCH);
      await recordAudit(
        tx,
        act,
        ...ended.map((credential) => ({
          merchantId: ending.merchant_id,
          type: 'credential.revoked' as const,
          actor: SYSTEM_ACTOR,
          target: { type: 'credential' as const, id: credential.credential_id },
          details: { agent_id: ending.agent_id, kid: credential.kid, because: 'agent.revoked' },
        })),
      );
      if (ended.length < BATCH) await forgetEnding(tx, ending);
      return true;
    }),
};
