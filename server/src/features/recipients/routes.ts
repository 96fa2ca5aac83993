import { findRiskyText, type Issue } from '@payassent/protocol';
import { RecipientSchema, RecipientVersionSchema } from '@payassent/protocol/records';
import { Type } from 'typebox';
import { transaction } from '../../db/open.ts';
import { invalid } from '../../errors.ts';
import { decodeCursor, PAGE_QUERY, toPage } from '../../http/page.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { createRecipient } from './create.ts';
import { derivePayee, nameIssues } from './payee.ts';
import { listRecipients, readRecipient } from './read.ts';
import { rejectPending, settleRecallSoon } from './recall.ts';
import { RecipientChange, RecipientInput } from './schema.ts';
import { changeRecipient } from './update.ts';
import { recipientView, versionView } from './view.ts';

const TAG = 'Recipients';

export const recipientRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/v1/recipients',
    summary: 'Create a Recipient with its first version',
    description:
      'The rail, and what follows from network and asset, is derived; the address is checked with its checksum. Nothing can be paid to it before a version is verified and activated.',
    tag: TAG,
    credential: ['merchant'],
    limit: 'merchant_mutations',
    body: RecipientInput,
    collectsIssues: true,
    errors: ['risk_rejected'],
    status: 201,
    answer: Type.Object({ recipient: RecipientSchema, recipient_version: RecipientVersionSchema }),
    async run({ context, act, principal, body, issues }) {
      const payee = { ...derivePayee(body, issues), name: body.name };
      const made = await transaction(context.db, (tx) => createRecipient(tx, act, principal, payee));
      return { recipient: recipientView(made.recipient), recipient_version: versionView(made.version) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/recipients',
    summary: 'List the Recipients of this organization, newest first',
    tag: TAG,
    credential: ['merchant'],
    limit: 'reads',
    query: Type.Object(PAGE_QUERY),
    errors: ['invalid_cursor'],
    answer: Type.Object({
      recipients: Type.Array(RecipientSchema),
      next_cursor: Type.Union([Type.String(), Type.Null()]),
    }),
    async run({ context, principal, query }) {
      const after = decodeCursor(query.cursor);
      const rows = await listRecipients(context.db, principal.merchantId, { limit: query.limit, after });
      const page = toPage(rows, query.limit, (row) => ({ createdAt: row.created_at, id: row.recipient_id }));
      return { recipients: page.items.map(recipientView), next_cursor: page.nextCursor };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/recipients/{id}',
    summary: 'Read a Recipient with all its versions, newest first',
    tag: TAG,
    credential: ['merchant'],
    limit: 'reads',
    errors: ['resource_not_found'],
    answer: Type.Object({
      recipient: RecipientSchema,
      recipient_versions: Type.Array(RecipientVersionSchema),
    }),
    async run({ context, principal, params }) {
      const { recipient, versions } = await readRecipient(
        context.db,
        principal.merchantId,
        params['id'] ?? '',
      );
      return { recipient: recipientView(recipient), recipient_versions: versions.map(versionView) };
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/v1/recipients/{id}',
    summary: 'Change the label of a Recipient, or archive it for good',
    tag: TAG,
    credential: ['merchant'],
    limit: 'merchant_mutations',
    body: RecipientChange,
    check: (body) => [...nameIssues(body.name), ...findRiskyText(body.name, 'name'), ...pendingIssues(body)],
    collectsIssues: true,
    errors: ['resource_not_found', 'version_conflict', 'recipient_not_active', 'risk_rejected'],
    answer: Type.Object({ recipient: RecipientSchema }),
    async run({ context, act, principal, params, body, issues }) {
      if (issues.length === 0 && body.name === undefined && body.status === undefined)
        throw invalid([{ field: 'body', code: 'required', message: 'Name what to change: name or status.' }]);
      const changed = await transaction(context.db, (tx) =>
        changeRecipient(tx, act, principal, params['id'] ?? '', body, issues),
      );
      await settleRecallSoon(context.db, act, changed.recall);
      return { recipient: recipientView(changed.recipient) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/recipients/{id}/reject-pending',
    summary: 'Take back every request to this payee that awaits a decision',
    description:
      'They are rejected from this moment on, with the reason payee_recalled, and can no longer be signed; agent payments likewise. `rejected` counts the payment requests. What was signed before stays as it is. See what it would concern with the list of payment requests, filtered by recipient_id and status.',
    tag: TAG,
    credential: ['merchant'],
    limit: 'merchant_mutations',
    errors: ['resource_not_found'],
    answer: Type.Object({ recipient: RecipientSchema, rejected: Type.Integer({ minimum: 0 }) }),
    async run({ context, act, principal, params }) {
      const { recipient, recall, rejected } = await transaction(context.db, (tx) =>
        rejectPending(tx, act, principal, params['id'] ?? ''),
      );
      await settleRecallSoon(context.db, act, recall);
      return { recipient: recipientView(recipient), rejected };
    },
  }),
];

/** On its own it would say nothing. */
function pendingIssues(body: Partial<RecipientChange>): Issue[] {
  if (body.pending === undefined || body.status !== undefined) return [];
  const message = 'pending can only be sent with status: "archived".';
  return [{ field: 'pending', code: 'unknown_field', message }];
}
