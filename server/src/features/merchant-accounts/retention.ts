import type { Database } from '../../db/open.ts';
import type { RetentionRule } from '../../jobs/retention.ts';
import { addMs, DAY_MS } from '../../lib/clock.ts';
import { knownNetworkRetention } from './known-networks.ts';

/** Spent or over: kept for a day, so that a late caller is told what happened, then forgotten. */
export const accountRetention: readonly RetentionRule[] = [
  { name: 'email_links', tables: ['email_links'], purge: purgeLinks },
  { name: 'session_grants', tables: ['session_grants'], purge: purgeGrants },
  { name: 'merchant_sessions', tables: ['merchant_sessions'], purge: purgeSessions },
  knownNetworkRetention,
];

async function purgeLinks(db: Database, now: Date, limit: number): Promise<number> {
  const result = await db`
    delete from email_links where token_hash in (
      select token_hash from email_links where expires_at < ${addMs(now, -DAY_MS)} order by expires_at limit ${limit})`;
  return result.count;
}

async function purgeGrants(db: Database, now: Date, limit: number): Promise<number> {
  const result = await db`
    delete from session_grants where token_hash in (
      select token_hash from session_grants where expires_at < ${addMs(now, -DAY_MS)}
      order by expires_at limit ${limit})`;
  return result.count;
}

async function purgeSessions(db: Database, now: Date, limit: number): Promise<number> {
  const result = await db`
    delete from merchant_sessions where session_id in (
      select session_id from merchant_sessions where expires_at < ${addMs(now, -DAY_MS)}
      order by expires_at limit ${limit})`;
  return result.count;
}
