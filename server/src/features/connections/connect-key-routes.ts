import { ConnectKeySchema } from '@payassent/protocol/records';
import { Type } from 'typebox';
import { transaction } from '../../db/open.ts';
import { decodeCursor, PAGE_QUERY, toPage } from '../../http/page.ts';
import { defineRoute } from '../../http/route.ts';
import { listConnectKeys } from './connect-key-sql.ts';
import { createConnectKey, withdrawConnectKey } from './connect-keys.ts';
import { NEXT_CURSOR } from './schema.ts';
import { connectKeyView } from './view.ts';

const tag = 'Connect';

export const connectKeyRoutes = [
  defineRoute({
    method: 'POST',
    path: '/v1/connect-keys',
    summary: 'Make a one-time Connect Key that the user hands to an agent',
    tag,
    credential: ['wallet'],
    limit: 'wallet_mutations',
    status: 201,
    answer: Type.Object({
      connect_key: Type.String({ description: 'Shown once, svc_ck_…' }),
      connect_key_id: Type.String(),
      status: Type.String(),
      created_at: Type.String({ format: 'date-time' }),
      expires_at: Type.String({ format: 'date-time' }),
    }),
    errors: ['limit_reached'],
    async run({ context, act, principal }) {
      const made = await transaction(context.db, (tx) =>
        createConnectKey(tx, act, principal, context.config.caps.connectKeys),
      );
      return { connect_key: made.connectKey, ...connectKeyView(made.row) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/connect-keys',
    summary: "List the wallet's Connect Keys, without the keys themselves",
    tag,
    credential: ['wallet'],
    limit: 'reads',
    query: Type.Object({ ...PAGE_QUERY }),
    answer: Type.Object({ connect_keys: Type.Array(ConnectKeySchema), ...NEXT_CURSOR }),
    async run({ context, act, principal, query }) {
      const after = decodeCursor(query.cursor);
      const rows = await listConnectKeys(context.db, principal.walletId, act.now, after, query.limit + 1);
      const page = toPage(rows, query.limit, (row) => ({
        createdAt: row.created_at,
        id: row.connect_key_id,
      }));
      return { connect_keys: page.items.map(connectKeyView), next_cursor: page.nextCursor };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/connect-keys/{id}',
    summary: 'Withdraw a Connect Key that nobody has claimed',
    tag,
    credential: ['wallet'],
    limit: 'wallet_mutations',
    answer: Type.Object({ connect_key: ConnectKeySchema }),
    errors: ['resource_not_found', 'connect_key_used'],
    async run({ context, act, principal, params }) {
      const row = await transaction(context.db, (tx) =>
        withdrawConnectKey(tx, act, principal, params['id'] ?? ''),
      );
      return { connect_key: connectKeyView(row) };
    },
  }),
];
