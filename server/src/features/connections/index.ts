import { authenticateConnection } from '../callers/connection-authenticator.ts';
import type { LastSeen } from '../callers/last-seen.ts';
import type { Feature } from '../feature.ts';
import { authenticateClaim } from './claim-authenticator.ts';
import { connectKeyRoutes } from './connect-key-routes.ts';
import { connectionRoutes } from './connection-routes.ts';
import { invitationRoutes } from './invitation-routes.ts';
import { revocationJob } from './jobs.ts';
import { pairingRoutes } from './pairing-routes.ts';
import { connectionRetention } from './retention.ts';

/** How an agent and a wallet come together, and how they part. */
export const connectionsFeature = ({ lastSeen }: { lastSeen: LastSeen }): Feature => ({
  name: 'connections',
  routes: [...connectKeyRoutes, ...invitationRoutes, ...pairingRoutes, ...connectionRoutes(lastSeen)],
  authenticators: { claim: authenticateClaim, connection: authenticateConnection },
  jobs: [revocationJob],
  retention: connectionRetention,
});
