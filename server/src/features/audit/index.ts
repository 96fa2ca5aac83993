import type { Feature } from '../feature.ts';
import { chainJob } from './chain-job.ts';
import { auditHeadDocument } from './documents.ts';
import { purgeAuditEvents } from './retention.ts';
import { auditRoutes } from './routes.ts';

export const auditFeature = (): Feature => ({
  name: 'audit',
  routes: auditRoutes,
  documents: [auditHeadDocument()],
  jobs: [chainJob],
  retention: [{ name: 'audit', tables: ['audit_events', 'audit_chain'], purge: purgeAuditEvents }],
});
