import { DAY_MS } from '../../lib/clock.ts';
import type { Feature } from '../feature.ts';
import { forgetAfter } from '../retention.ts';
import { approvalRoutes } from './routes.ts';

/** As long as the audit trail that names them. */
const KEPT_MS = 400 * DAY_MS;

/** Changes that wait for a second owner. */
export const approvalsFeature = (): Feature => ({
  name: 'approvals',
  routes: approvalRoutes,
  retention: [
    forgetAfter(KEPT_MS, { name: 'approvals', table: 'approvals', key: 'approval_id', time: 'created_at' }),
  ],
});
