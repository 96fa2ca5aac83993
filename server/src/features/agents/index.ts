import { DAY_MS } from '../../lib/clock.ts';
import type { Feature } from '../feature.ts';
import { authenticateAgent } from './authenticate.ts';
import { credentialRoutes } from './credential-routes.ts';
import { credentialJob } from './job.ts';
import { agentRoutes } from './routes.ts';
import { tokenRoutes } from './token-routes.ts';
import { purgeAssertions, purgeTokens } from './token-sql.ts';

const dayBefore = (now: Date) => new Date(now.getTime() - DAY_MS);

/** Agents, their public keys, and the short tokens that they exchange signed assertions for. */
export const agentsFeature = (): Feature => ({
  name: 'agents',
  routes: [...agentRoutes, ...credentialRoutes, ...tokenRoutes],
  authenticators: { agent: authenticateAgent },
  jobs: [credentialJob],
  retention: [
    {
      name: 'agent tokens',
      tables: ['agent_tokens'],
      purge: (db, now, limit) => purgeTokens(db, dayBefore(now), limit),
    },
    {
      name: 'agent assertions',
      tables: ['agent_assertions'],
      purge: (db, now, limit) => purgeAssertions(db, dayBefore(now), limit),
    },
  ],
});
