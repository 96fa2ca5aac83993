import { checkFreeForm, type Issue } from '@payassent/protocol';
import { TransactionContextSchema } from '@payassent/protocol/records';
import { Type } from 'typebox';
import { transaction } from '../../db/open.ts';
import { refuseWhenInvalid } from '../../errors.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { identityIssues } from '../../http/validate.ts';
import { appendContext, foreignAddresses, readContext } from './contexts.ts';
import { idIssues, UNREACHABLE_IDS } from './create-checks.ts';
import { CONNECTION_CHOICE, CONTEXT_INPUT, type ContextInput } from './schema.ts';

const ANSWER = Type.Object({ transaction_context: TransactionContextSchema });
const WRITTEN_BY_SERVICE = ['revision', 'created_at'] as const;
const NOTHING_KNOWN: ReadonlySet<string> = new Set();

export const contextRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/v1/transaction-contexts',
    summary: 'Say in words what a payment is for',
    description:
      'Free-form, for the user who reviews a request. Posting a known id appends a revision; a request pins the one that was newest when it was created.',
    tag: 'Transaction contexts',
    credential: ['connection'],
    scope: 'transaction_contexts.create',
    collectsIssues: true,
    limit: 'create',
    body: CONTEXT_INPUT,
    freeForm: 'every member',
    status: 201,
    answer: ANSWER,
    errors: ['risk_rejected', 'connection_paused', 'resource_not_found'],
    check: contextIssues,
    async run({ context, act, principal, body, issues }) {
      refuseWhenInvalid([...issues, ...(await foreignAddresses(context.db, principal.merchantId, body))]);
      const appended = await transaction(context.db, (tx) => appendContext(tx, act, principal, body));
      return { transaction_context: appended };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/transaction-contexts/{transaction_id}',
    summary: 'Read the newest revision of a context',
    tag: 'Transaction contexts',
    credential: ['connection', 'wallet'],
    scope: 'transaction_contexts.read',
    limit: 'reads',
    query: Type.Object({
      connection_id: CONNECTION_CHOICE,
      revision: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 2_147_483_647,
          description: 'The one that a request has pinned.',
        }),
      ),
    }),
    answer: ANSWER,
    errors: ['resource_not_found', 'ambiguous_request_id'],
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
