import { addMs, DAY_MS } from '../../lib/clock.ts';
import { authenticateDevice } from '../callers/device-authenticator.ts';
import type { LastSeen } from '../callers/last-seen.ts';
import type { Feature } from '../feature.ts';
import { walletRoutes } from './routes.ts';
import { purgeCodes } from './sql.ts';
import { unusedWalletRetention } from './unused-wallets.ts';

/** The user's side: a wallet is an anchor, its devices act for it. */
export const walletsFeature = ({ lastSeen }: { lastSeen: LastSeen }): Feature => ({
  name: 'wallets',
  routes: walletRoutes,
  authenticators: { wallet: authenticateDevice(lastSeen) },
  retention: [
    {
      name: 'wallet codes',
      tables: ['wallet_codes'],
      purge: (db, now, limit) => purgeCodes(db, addMs(now, -DAY_MS), limit),
    },
    unusedWalletRetention,
  ],
});
