import * as api from '@payassent/protocol/api';
import { transaction } from '../../db/open.ts';
import { decodeCursor, toPage } from '../../http/page.ts';
import { implement } from '../../http/route.ts';
import { listConnectKeys } from './connect-key-sql.ts';
import { createConnectKey, withdrawConnectKey } from './connect-keys.ts';
import { connectKeyView } from './view.ts';

export const connectKeyRoutes = [
  implement(api.createConnectKey, {
    async run({ context, act, principal }) {
      const made = await transaction(context.db, (tx) =>
        createConnectKey(tx, act, principal, context.config.caps.connectKeys),
      );
      return { connect_key: made.connectKey, ...connectKeyView(made.row) };
    },
  }),
  implement(api.listConnectKeys, {
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
  implement(api.withdrawConnectKey, {
    async run({ context, act, principal, params }) {
      const row = await transaction(context.db, (tx) =>
        withdrawConnectKey(tx, act, principal, params['id'] ?? ''),
      );
      return { connect_key: connectKeyView(row) };
    },
  }),
];
