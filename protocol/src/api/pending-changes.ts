import { Type } from 'typebox';
import { PendingChangeSchema } from '../records/connect.ts';
import { record } from '../records/schema.ts';
import { operation } from './operation.ts';

const tag = 'Wallet devices';

/** What a change of keys returns that waits: 202, and nothing has changed. */
export const PendingChangeAnswer = record('PendingChangeAnswer', 'One change that waits or waited.', {
  pending_change: PendingChangeSchema,
});

export const listPendingChanges = operation({
  id: 'listPendingChanges',
  method: 'GET',
  path: '/v1/wallets/current/pending-changes',
  summary: "List changes of the wallet's keys that wait or waited, newest first",
  description: 'All that wait, and the newest 50 of the last 90 days that do not any more.',
  tag,
  credential: ['wallet'],
  limit: 'reads',
  answer: record('PendingChangeList', "Changes of the wallet's keys.", {
    pending_changes: Type.Array(PendingChangeSchema, { description: 'Newest first.' }),
  }),
});

export const cancelPendingChange = operation({
  id: 'cancelPendingChange',
  method: 'DELETE',
  path: '/v1/wallets/current/pending-changes/{id}',
  summary: "Cancel a change of the wallet's keys before it takes effect",
  description: 'Every device of the wallet may, with a key or without.',
  tag,
  credential: ['wallet'],
  limit: 'wallet_mutations',
  answer: PendingChangeAnswer,
  errors: ['resource_not_found', 'token_revoked', 'invalid_status_transition'],
});
