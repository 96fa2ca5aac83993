import { addMs, DAY_MS } from '../../lib/clock.ts';
import type { Feature } from '../feature.ts';
import { passkeyRoutes } from './routes.ts';
import { purgeCancellations, purgeChallenges } from './sql.ts';

/** Passkeys of operators: signing in, and showing again who acts where it matters. */
export const passkeysFeature = (): Feature => ({
  name: 'passkeys',
  routes: passkeyRoutes,
  retention: [
    {
      name: 'passkey challenges',
      tables: ['passkey_challenges'],
      purge: (db, now, limit) => purgeChallenges(db, addMs(now, -DAY_MS), limit),
    },
    {
      name: 'links that cancel passkeys',
      tables: ['passkey_cancellations'],
      purge: (db, now, limit) => purgeCancellations(db, addMs(now, -DAY_MS), limit),
    },
  ],
});
