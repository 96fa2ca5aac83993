import { addMs, DAY_MS } from '../../lib/clock.ts';
import { RETENTION } from '../../limits.ts';
import type { Feature } from '../feature.ts';
import { approvalRoutes } from './routes.ts';
import { purgeApprovals } from './sql.ts';

/** As long as the audit trail that names them. */

/** Changes that wait for a second owner. */
export const approvalsFeature = (): Feature => ({
  name: 'approvals',
  routes: approvalRoutes,
  retention: [
    {
      name: 'approvals',
      tables: ['approvals'],
      purge: (db, now, limit) => purgeApprovals(db, addMs(now, -RETENTION.approvals.days * DAY_MS), limit),
    },
  ],
});
