import { Type } from 'typebox';
import { transaction } from '../../db/open.ts';
import { decodeCursor, PAGE_QUERY, toPage } from '../../http/page.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { toTimestamp } from '../../lib/clock.ts';
import { nameIssues } from '../agents/text.ts';
import { endAdminSession, openAdminSession } from './admin-sessions.ts';
import { createApiKey, revokeApiKey } from './api-keys.ts';
import {
  AdminSessionAnswer,
  ApiKeyAnswer,
  ApiKeyInput,
  ApiKeyListAnswer,
  NewApiKeyAnswer,
} from './schema.ts';
import { listApiKeys } from './sql.ts';
import { apiKeyView } from './view.ts';

const TAG = 'Project access';

export const projectAccessRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/v1/api-keys',
    summary: 'Create a project API key for one agent; it is shown once',
    tag: TAG,
    credential: ['merchant', 'admin'],
    limit: 'merchant_mutations',
    body: ApiKeyInput,
    check: (body) => nameIssues(body.name),
    status: 201,
    answer: NewApiKeyAnswer,
    errors: ['resource_not_found', 'agent_not_active', 'phase_0_mainnet_disabled', 'risk_rejected'],
    async run({ context, act, principal, body }) {
      const { row, key } = await transaction(context.db, (tx) => createApiKey(tx, act, principal, body));
      return { api_key: key, ...apiKeyView(row) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/api-keys',
    summary: 'List the API keys of this organization, newest first; never the keys themselves',
    tag: TAG,
    credential: ['merchant', 'admin'],
    limit: 'reads',
    query: Type.Object(PAGE_QUERY),
    answer: ApiKeyListAnswer,
    async run({ context, principal, query }) {
      const after = decodeCursor(query.cursor);
      const rows = await listApiKeys(context.db, principal.merchantId, { limit: query.limit, after });
      const page = toPage(rows, query.limit, (row) => ({ createdAt: row.created_at, id: row.api_key_id }));
      return { api_keys: page.items.map(apiKeyView), next_cursor: page.nextCursor };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/api-keys/{id}',
    summary: 'Revoke an API key; it is dead at once',
    tag: TAG,
    credential: ['merchant', 'admin'],
    limit: 'merchant_mutations',
    answer: ApiKeyAnswer,
    errors: ['resource_not_found'],
    async run({ context, act, principal, params }) {
      const row = await transaction(context.db, (tx) => revokeApiKey(tx, act, principal, params['id'] ?? ''));
      return { api_key: apiKeyView(row) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/admin-sessions',
    summary: 'Open an admin session: a bearer for one hour, which ends with this sign-in',
    tag: TAG,
    credential: ['merchant'],
    limit: 'merchant_mutations',
    status: 201,
    answer: AdminSessionAnswer,
    async run({ context, act, principal }) {
      const { token, expiresAt } = await transaction(context.db, (tx) =>
        openAdminSession(tx, act, principal),
      );
      return { session_token: token, expires_at: toTimestamp(expiresAt) };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/admin-sessions/current',
    summary: 'End the admin session that is sent as bearer',
    tag: TAG,
    credential: ['admin'],
    limit: 'merchant_mutations',
    allowsPendingMerchant: true,
    answer: Type.Object({}),
    async run({ context, act, principal }) {
      await transaction(context.db, (tx) => endAdminSession(tx, act, principal));
      return {};
    },
  }),
];
