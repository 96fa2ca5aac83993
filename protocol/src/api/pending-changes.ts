import { PendingChangeSchema } from '../records/connect.ts';
import { record, Type } from '../records/schema.ts';
import { operations } from './operation.ts';

const operation = operations({ tag: 'Wallet devices', credential: ['wallet'] });

/** What a change of keys returns that waits: 202, and nothing has changed. */
export const PendingChangeAnswer = record('PendingChangeAnswer', 'One change that waits or waited.', {
  pending_change: PendingChangeSchema,
});

export const listPendingChanges = operation('listPendingChanges', 'GET /v1/wallets/current/pending-changes', {
  summary: "List changes of the wallet's keys that wait or waited, newest first",
  description: 'All that wait, and the newest 50 of the last 90 days that do not any more.',
  answer: record('PendingChangeList', "Changes of the wallet's keys.", {
    pending_changes: Type.Array(PendingChangeSchema, { description: 'Newest first.' }),
  }),
});

export const cancelPendingChange = operation(
  'cancelPendingChange',
  'DELETE /v1/wallets/current/pending-changes/{id}',
  {
    sdk: 'WalletPendingChanges.cancel',
    summary: "Cancel a change of the wallet's keys before it takes effect",
    description: 'Every device of the wallet may, with a key or without.',
    answer: PendingChangeAnswer,
    errors: ['token_revoked', 'invalid_status_transition'],
  },
);
