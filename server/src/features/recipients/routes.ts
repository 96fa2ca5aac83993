import { findNameIssues, findRiskyText, type Issue } from '@payassent/protocol';
import * as api from '@payassent/protocol/api';
import { transaction } from '../../db/open.ts';
import { invalid } from '../../errors.ts';
import { decodeCursor, toPage } from '../../http/page.ts';
import { implement, type Route } from '../../http/route.ts';
import { createRecipient } from './create.ts';
import { derivePayee } from './payee.ts';
import { listRecipients, readRecipient } from './read.ts';
import { rejectPending, settleRecallSoon } from './recall.ts';
import type { RecipientChange } from './schema.ts';
import { changeRecipient } from './update.ts';
import { recipientView, versionView } from './view.ts';

export const recipientRoutes: readonly Route[] = [
  implement(api.createRecipient, {
    collectsIssues: true,
    async run({ context, act, principal, body, issues }) {
      const payee = { ...derivePayee(body, issues), name: body.name };
      const made = await transaction(context.db, (tx) => createRecipient(tx, act, principal, payee));
      return { recipient: recipientView(made.recipient), recipient_version: versionView(made.version) };
    },
  }),
  implement(api.listRecipients, {
    async run({ context, principal, query }) {
      const after = decodeCursor(query.cursor);
      const rows = await listRecipients(context.db, principal.merchantId, { limit: query.limit, after });
      const page = toPage(rows, query.limit, (row) => ({ createdAt: row.created_at, id: row.recipient_id }));
      return { recipients: page.items.map(recipientView), next_cursor: page.nextCursor };
    },
  }),
  implement(api.getRecipient, {
    async run({ context, principal, params }) {
      const { recipient, versions } = await readRecipient(
        context.db,
        principal.merchantId,
        params['id'] ?? '',
      );
      return { recipient: recipientView(recipient), recipient_versions: versions.map(versionView) };
    },
  }),
  implement(api.updateRecipient, {
    check: (body) => [
      ...findNameIssues(body.name, 'name'),
      ...findRiskyText(body.name, 'name'),
      ...pendingIssues(body),
    ],
    collectsIssues: true,
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
  implement(api.rejectPendingRequests, {
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
