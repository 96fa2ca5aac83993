import * as api from '@payassent/protocol/api';
import { transaction } from '../../db/open.ts';
import { answer, implement, type Route } from '../../http/route.ts';
import { networkHash } from '../merchant-accounts/known-networks.ts';
import { apiKeyView } from '../project-access/view.ts';
import { changeRole, inviteOperator, removeOperator } from './operators.ts';
import { listOperators } from './sql.ts';
import { operatorView } from './view.ts';

export const operatorRoutes: readonly Route[] = [
  implement(api.inviteOperator, {
    changesOperators: true,
    async run({ context, act, principal, body, clientAddress }) {
      const requestedFrom = networkHash(context.keys, clientAddress);
      const invitation = { email: body.email.toLowerCase(), role: body.role, requestedFrom };
      const { operator, isNew } = await transaction(context.db, (tx) =>
        inviteOperator(tx, act, principal, invitation),
      );
      return answer({ operator: operatorView(operator) }, { status: isNew ? 201 : 200 });
    },
  }),
  implement(api.listOperators, {
    async run({ context, principal }) {
      const rows = await listOperators(context.db, principal.merchantId);
      return { operators: rows.map(operatorView) };
    },
  }),
  implement(api.changeOperator, {
    changesOperators: true,
    async run({ context, act, principal, params, body }) {
      const row = await transaction(context.db, (tx) =>
        changeRole(tx, act, principal, params['id'] ?? '', body.role),
      );
      return { operator: operatorView(row) };
    },
  }),
  implement(api.removeOperator, {
    changesOperators: true,
    async run({ context, act, principal, params }) {
      const { operator, keys } = await transaction(context.db, (tx) =>
        removeOperator(tx, act, principal, params['id'] ?? ''),
      );
      return { operator: operatorView(operator), api_keys: keys.map(apiKeyView) };
    },
  }),
];
