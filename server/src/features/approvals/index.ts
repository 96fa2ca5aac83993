import { addMs, DAY_MS } from '../../lib/clock.ts';
import type { Feature } from '../feature.ts';
import { approvalRoutes } from './routes.ts';
import { purgeApprovals } from './sql.ts';

/** As long as the audit trail that names them. */
const KEPT_DAYS = 400;

/** Changes that wait for a second owner. */
export const approvalsFeature = (): Feature => ({
  name: 'approvals',
  routes: approvalRoutes,
  retention: [
    {
      name: 'approvals',
      tables: ['approvals'],
      purge: (db, now, limit) => purgeApprovals(db, addMs(now, -KEPT_DAYS * DAY_MS), limit),
    },
  ],
});
