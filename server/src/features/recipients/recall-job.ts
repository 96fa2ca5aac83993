import { createAct } from '../../act.ts';
import type { Job } from '../../jobs/job.ts';
import { RECALL_JOB, settleRecall, storedBefore } from './recall.ts';
import { listDueRecalls } from './recall-sql.ts';

/** Recalls of one turn, a batch of each. */
const BATCH = 20;

/** Settles what recalls have ended and nobody has met yet. Several processes may do it side by side. */
export const recallJob: Job = {
  name: RECALL_JOB,
  everyMs: 2000,
  async run(context) {
    const act = createAct(context, `job_${RECALL_JOB}`);
    const failures: unknown[] = [];
    let more = false;
    for (const recall of await listDueRecalls(context.db, storedBefore(act.now), BATCH)) {
      if (context.stopping.aborted) return false;
      try {
        if (!(await settleRecall(context.db, act, recall))) more = true;
      } catch (error) {
        failures.push(error);
      }
    }
    // One that fails must not keep the others waiting: it is told after all had their turn.
    if (failures.length > 0) throw failures[0];
    return more;
  },
};
