import { checkFreeForm, type Issue } from '@payassent/protocol';
import * as api from '@payassent/protocol/api';
import { transaction } from '../../db/open.ts';
import { refuseWhenInvalid } from '../../errors.ts';
import { implement, type Route } from '../../http/route.ts';
import { identityIssues } from '../../http/validate.ts';
import { appendContext, type ContextInput, foreignAddresses, readContext } from './contexts.ts';
import { idIssues, UNREACHABLE_IDS } from './ids.ts';

const WRITTEN_BY_SERVICE = ['revision', 'created_at'] as const;
const NOTHING_KNOWN: ReadonlySet<string> = new Set();

export const contextRoutes: readonly Route[] = [
  implement(api.postTransactionContext, {
    collectsIssues: true,
    freeForm: 'every member',
    check: contextIssues,
    async run({ context, act, principal, body, issues }) {
      refuseWhenInvalid([...issues, ...(await foreignAddresses(context.db, principal.merchantId, body))]);
      const appended = await transaction(context.db, (tx) => appendContext(tx, act, principal, body));
      return { transaction_context: appended };
    },
  }),
  implement(api.getTransactionContext, {
    async run({ context, principal, params, query }) {
      const choice = {
        transactionId: params['transaction_id'] ?? '',
        connectionId: query.connection_id ?? null,
        revision: query.revision,
      };
      return { transaction_context: await readContext(context.db, principal, choice) };
    },
  }),
];

function contextIssues(body: Partial<ContextInput>): Issue[] {
  const { transaction_id, connection_id: _, ...content } = body;
  const readOnly = WRITTEN_BY_SERVICE.filter((field) => field in content).map((field) => ({
    field,
    code: 'read_only_field' as const,
    message: `${field} is written by the service; remove it.`,
  }));
  return [
    ...identityIssues(content, NOTHING_KNOWN),
    ...readOnly,
    ...(transaction_id === undefined ? [] : idIssues('transaction_id', transaction_id, UNREACHABLE_IDS)),
    ...checkFreeForm(content, '', {}),
  ];
}
