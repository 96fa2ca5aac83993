import * as api from '@payassent/protocol/api';
import { transaction } from '../../db/open.ts';
import { decodeCursor, toPage } from '../../http/page.ts';
import { implement, type Route } from '../../http/route.ts';
import { toTimestamp } from '../../lib/clock.ts';
import { nameIssues } from '../agents/text.ts';
import { endAdminSession, openAdminSession } from './admin-sessions.ts';
import { createApiKey, revokeApiKey } from './api-keys.ts';
import { listApiKeys } from './sql.ts';
import { apiKeyView } from './view.ts';

export const projectAccessRoutes: readonly Route[] = [
  implement(api.createApiKey, {
    check: (body) => nameIssues(body.name),
    async run({ context, act, principal, body }) {
      const { row, key } = await transaction(context.db, (tx) => createApiKey(tx, act, principal, body));
      return { api_key: key, ...apiKeyView(row) };
    },
  }),
  implement(api.listApiKeys, {
    async run({ context, principal, query }) {
      const after = decodeCursor(query.cursor);
      const rows = await listApiKeys(context.db, principal.merchantId, { limit: query.limit, after });
      const page = toPage(rows, query.limit, (row) => ({ createdAt: row.created_at, id: row.api_key_id }));
      return { api_keys: page.items.map(apiKeyView), next_cursor: page.nextCursor };
    },
  }),
  implement(api.revokeApiKey, {
    async run({ context, act, principal, params }) {
      const row = await transaction(context.db, (tx) => revokeApiKey(tx, act, principal, params['id'] ?? ''));
      return { api_key: apiKeyView(row) };
    },
  }),
  implement(api.createAdminSession, {
    async run({ context, act, principal }) {
      const { token, expiresAt } = await transaction(context.db, (tx) =>
        openAdminSession(tx, act, principal),
      );
      return { session_token: token, expires_at: toTimestamp(expiresAt) };
    },
  }),
  implement(api.endAdminSession, {
    async run({ context, act, principal }) {
      await transaction(context.db, (tx) => endAdminSession(tx, act, principal));
      return {};
    },
  }),
];
