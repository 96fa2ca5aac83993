// What opens agent payments and policies in addition to a wallet: API keys for agents, admin sessions for team members.
// Agent payments, policies and evidence import `reach`, `connection`, `owned` and `screen`; operators import
// `api-keys`. A caller sees only the records within its reach, and a key no more than its agent's connections allow.

import * as api from '@payassent/protocol/api';
import { transaction } from '../../db/open.ts';
import { type AgentSuspension, AppError, refuseSuspendedAgent } from '../../errors.ts';
import type { Authenticators } from '../../http/kernel.ts';
import { implement, type Route } from '../../http/route.ts';
import { DAY_MS, toTimestamp } from '../../lib/clock.ts';
import { nameIssues } from '../agents/text.ts';
import type { Feature } from '../feature.ts';
import { forgetAfter } from '../forget-after.ts';
import { readPage } from '../page.ts';
import { createApiKey, endAdminSession, openAdminSession, revokeApiKey } from './api-keys.ts';
import { findPresentedSession, listApiKeys } from './sql.ts';
import { apiKeyView } from './view.ts';

interface PresentedKeyRow extends AgentSuspension {
  api_key_id: string;
  merchant_id: string;
  agent_id: string;
  revoked_at: Date | null;
  is_usable: boolean;
}

export const projectAccessFeature = (): Feature => ({
  name: 'project-access',
  routes: projectAccessRoutes,
  authenticators: { api_key: authenticateApiKey, admin: authenticateAdmin },
  retention: [forgetAfter(DAY_MS, { name: 'admin sessions', table: 'admin_sessions', key: 'session_id' })],
});

const projectAccessRoutes: readonly Route[] = [
  implement(api.createApiKey, {
    check: (body) => nameIssues(body.name),
    async run({ context, act, principal, body }) {
      const { row, key } = await transaction(context.db, (tx) => createApiKey(tx, act, principal, body));
      return { api_key: key, ...apiKeyView(row) };
    },
  }),
  implement(api.listApiKeys, {
    async run({ context, principal, query }) {
      const { items, next_cursor } = await readPage(query, 'api_key_id', (page) =>
        listApiKeys(context.db, principal.merchantId, page),
      );
      return { api_keys: items.map(apiKeyView), next_cursor };
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

/** A key belongs to its agent and works while that agent does. */
const authenticateApiKey: Authenticators['api_key'] = async ({ db }, presented, now) => {
  const [row] = await db<PresentedKeyRow[]>`
    select k.api_key_id, k.merchant_id, k.agent_id, k.revoked_at, agent_is_usable(k.agent_id, ${now}) as is_usable,
           a.suspended_by_installation_at, a.merchant_suspended_at
    from api_keys k join agents a on a.agent_id = k.agent_id
    where k.key_hash = ${presented.tokenHash}`;
  if (!row) throw new AppError('unauthenticated');
  if (row.revoked_at) throw new AppError('token_revoked');
  refuseSuspendedAgent(row);
  if (!row.is_usable) throw new AppError('agent_not_active');
  return {
    kind: 'api_key',
    merchantId: row.merchant_id,
    agentId: row.agent_id,
    apiKeyId: row.api_key_id,
  };
};

const authenticateAdmin: Authenticators['admin'] = async ({ db }, presented, now) => {
  const row = await findPresentedSession(db, presented.tokenHash, now);
  if (!row) throw new AppError('unauthenticated');
  if (row.ended_at || row.role === null) throw new AppError('token_revoked');
  if (now > row.expires_at) throw new AppError('token_expired');
  return {
    kind: 'admin',
    merchantId: row.merchant_id,
    merchantStatus: row.merchant_status,
    accountId: row.account_id,
    role: row.role,
    // A script uses no passkey: the sign-in that it belongs to does.
    factors: {
      hasPasskey: row.has_passkey,
      steppedUpAt: row.stepped_up_at,
      passkeyEffectiveAt: row.passkey_effective_at,
      recoversAt: row.recovers_at,
    },
    sessionId: row.session_id,
  };
};
