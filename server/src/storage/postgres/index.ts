/**
 * The statements of a database on one machine. Used by `storage/index.ts` alone. Guarantee: each change of a request is
 * one statement, with all its consequences.
 */
import { compiled } from '../../db/compiled.ts';
import { type RightsRow, rightsQuery } from '../../payments/permissions/authorize-sql.ts';
import type { Statements } from '../statements.ts';
import { backlog, oldestDelivery } from './operations.ts';
import { closePending, insertRequests, moveRequests } from './requests.ts';
import { findFullEndpoints, queueMessages, recordAttempts, walkDueEndpoints } from './webhooks.ts';

const callerRights = compiled<RightsRow, { tokens: string }>((sql, { tokens }) =>
  rightsQuery(
    sql,
    tokens,
    sql`s.version`,
    sql`cross join lateral (
        select s.version from merchant_standings s where s.merchant_id = c.merchant_id limit 1
      ) s`,
  ),
);

export const statements: Statements = {
  insertRequests,
  moveRequests,
  closePending,
  callerRights: (sql, tokens) => callerRights(sql, { tokens }),
  placements: async () => '',
  queueMessages,
  recordAttempts,
  walkDueEndpoints,
  findFullEndpoints,
  oldestDelivery,
  backlog,
};
