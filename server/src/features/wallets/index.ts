import { addMs, DAY_MS } from '../../lib/clock.ts';
import { RETENTION } from '../../limits.ts';
import { authenticateDevice } from '../callers/device-authenticator.ts';
import type { LastSeen } from '../callers/last-seen.ts';
import { forgetAuthorizations } from '../decisions/authorization.ts';
import type { Feature } from '../feature.ts';
import { changesJob } from './changes-job.ts';
import { purgeChanges } from './changes-sql.ts';
import { walletRoutes } from './routes.ts';
import { purgeCodes } from './sql.ts';
import { unusedWalletRetention } from './unused-wallets.ts';

const KEPT_CHANGES_MS = RETENTION.walletChanges.days * DAY_MS;

/** The user's side: a wallet is an anchor, its devices act for it. */
export const walletsFeature = ({ lastSeen }: { lastSeen: LastSeen }): Feature => ({
  name: 'wallets',
  routes: walletRoutes,
  jobs: [changesJob],
  authenticators: { wallet: authenticateDevice(lastSeen) },
  retention: [
    {
      name: 'wallet codes',
      tables: ['wallet_codes'],
      purge: (db, now, limit) => purgeCodes(db, addMs(now, -DAY_MS), limit),
    },
    {
      name: 'pending changes',
      tables: ['pending_changes'],
      purge: (db, now, limit) => purgeChanges(db, addMs(now, -KEPT_CHANGES_MS), limit),
    },
    { name: 'authorizations', tables: ['used_authorizations'], purge: forgetAuthorizations },
    unusedWalletRetention,
  ],
});
