import { addMs, DAY_MS } from '../../lib/clock.ts';
import type { Feature } from '../feature.ts';
import { authenticateAdmin, authenticateApiKey } from './authenticate.ts';
import { projectAccessRoutes } from './routes.ts';
import { purgeAdminSessions } from './sql.ts';

/** What opens the second surface besides a wallet: API keys for agents, admin sessions for operators. */
export const projectAccessFeature = (): Feature => ({
  name: 'project-access',
  routes: projectAccessRoutes,
  authenticators: { api_key: authenticateApiKey, admin: authenticateAdmin },
  retention: [
    {
      name: 'admin sessions',
      tables: ['admin_sessions'],
      purge: (db, now, limit) => purgeAdminSessions(db, addMs(now, -DAY_MS), limit),
    },
  ],
});
