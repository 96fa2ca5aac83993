import { createAct } from '../../act.ts';
import type { Job } from '../../jobs/job.ts';
import { SECOND_MS } from '../../lib/clock.ts';
import { settleWallet } from '../connections/revocation.ts';
import { listDueWallets } from './changes-sql.ts';
import { takeEffect } from './take-effect.ts';

const JOB = 'pending-changes';
const EVERY_MS = 10 * SECOND_MS;
const BATCH = 100;

/** Carries out changes of wallets' keys that have waited long enough, for wallets that no device asks about. */
export const changesJob: Job = {
  name: JOB,
  everyMs: EVERY_MS,
  async run(context) {
    const act = createAct(context, `job-${JOB}`);
    const walletIds = await listDueWallets(context.db, act.now, BATCH);
    for (const walletId of walletIds)
      if (await takeEffect(context.db, act, walletId)) await settleWallet(context.db, act, walletId);
    return walletIds.length === BATCH;
  },
};
