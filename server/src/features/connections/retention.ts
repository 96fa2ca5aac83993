import type { RetentionRule } from '../../jobs/retention.ts';
import { addMs, DAY_MS } from '../../lib/clock.ts';
import { purgeProofs } from '../callers/sender-proof.ts';
import { purgeConnectKeys } from './connect-key-sql.ts';
import { purgeInvitations } from './invitation-sql.ts';
import { purgeSessions } from './pairing-sql.ts';

/** Invitations before keys: a key stays as long as its invitation. */
export const connectionRetention: readonly RetentionRule[] = [
  {
    name: 'invitations',
    tables: ['connect_invitations'],
    purge: (db, now, limit) => purgeInvitations(db, addMs(now, -DAY_MS), limit),
  },
  {
    name: 'connect keys',
    tables: ['connect_keys'],
    purge: (db, now, limit) => purgeConnectKeys(db, addMs(now, -DAY_MS), limit),
  },
  { name: 'sender proofs', tables: ['connection_proofs'], purge: purgeProofs },
  {
    name: 'pairing sessions',
    tables: ['pairing_sessions'],
    purge: (db, now, limit) => purgeSessions(db, addMs(now, -DAY_MS), limit),
  },
];
