/**
 * The payment core: what payment requests and agent payments share, from the create to the end. Features import only
 * this file; only `storage/` imports the parts of statements inside. Nothing here depends on HTTP. Guarantee: a
 * request's payee, amount and memo are pinned once, and every change of state is one commit with its event.
 */
export {
  CLOSED_AT_ONCE,
  closeEnded,
  rejectPendingOfConnection,
  rejectRecalledRequests,
} from './close/close.ts';
export { type DueRow, merchantsInTurn } from './close/merchants-in-turn.ts';
export { endingOf, isEnded, isEndedByAct, isRecalled, type Recall } from './close/when-ended.ts';
export { withdrawRequest } from './close/withdraw.ts';
export { REFUSED } from './counters.ts';
export { expiryOrDefault, timeIssues } from './create/checks.ts';
export { createPaymentRequest } from './create/create.ts';
export { previewPaymentRequest } from './create/preview.ts';
export { createEngine, type Engine } from './engine.ts';
export { awaitChange, watchRequest } from './feed/await-change.ts';
export { INBOX_MARK, isInboxCursor } from './feed/inbox-cursor.ts';
export { type EventFeed, pollEvents, requestFeed } from './feed/poll.ts';
export { streamEvents } from './feed/stream.ts';
export { awaitInbox, type ListQuery, listPage } from './read/list.ts';
export { eventsOfRequest, readForAgent, readHistory, readOne } from './read/read.ts';
export { createLinkSigner, createLinks, type Links } from './record/links.ts';
export { PAYMENT_EVENT_JSON } from './record/record-json.ts';
export { tellRequest } from './record/settlement-event.ts';
export {
  paymentRequestMembers,
  paymentRequestView,
  statusMembers,
  withdrawMembers,
  withReviewLinks,
} from './record/view.ts';
export { foreignReasonIssues, reasonIssues } from './report/reason.ts';
export { impossibleMove, reportRefusal } from './report/refusal.ts';
export { reportStatus } from './report/report.ts';
