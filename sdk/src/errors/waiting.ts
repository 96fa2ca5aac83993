import type { AgentPaymentStatus, PaymentRequestStatus, WebhookFault } from '@payassent/protocol';
import type { AgentPayment, Approval, PaymentRequest, PendingChange } from '../contract.ts';
import { PayAssentError } from './transport.ts';

/** The events of a connection are numbered without gaps; these are not, so one is missing. */
export class EventGapError extends PayAssentError {
  override readonly name = 'EventGapError';
  override readonly code = 'event_gap';
  /** The number that should have come. */
  readonly expected: number;
  /** The number that came. */
  readonly received: number;

  /** Made by the SDK. */
  constructor(expected: number, received: number) {
    super(`The next event should be number ${expected}, but number ${received} came`);
    this.expected = expected;
    this.received = received;
  }
}

/** What was waited for did not happen in time. Nothing is wrong with it; it may still happen. */
export class WaitTimeoutError extends PayAssentError {
  override readonly name = 'WaitTimeoutError';
  override readonly code = 'wait_timeout';
  /** The request that was waited for, as last read; undefined when it could not be read, or is none. */
  readonly paymentRequest: PaymentRequest | undefined;
  /** The agent payment that was waited for, as last read; undefined when it could not be read, or is none. */
  readonly agentPayment: AgentPayment | undefined;
  /** Its last known status. Before a decision the person may still decide; from `signed` on money may be moving. */
  readonly status: PaymentRequestStatus | AgentPaymentStatus | undefined;

  /** Made by the SDK. */
  constructor(what: string, timeoutMs: number, last?: PaymentRequest | AgentPayment) {
    const id = last && ('id' in last ? last.id : last.request_id);
    super(
      last
        ? `Timed out after ${timeoutMs} ms: ${id} is still ${last.status}. Wait for it again; do not ask for a second payment`
        : `${what} did not happen within ${timeoutMs} ms`,
    );
    this.paymentRequest = last && 'request_id' in last ? last : undefined;
    this.agentPayment = last && 'id' in last ? last : undefined;
    this.status = last?.status;
  }
}

/** The user did not approve the connection. */
export class NotApprovedError extends PayAssentError {
  override readonly name = 'NotApprovedError';
  override readonly code = 'not_approved';
  /** How the invitation or pairing session ended. */
  readonly status: 'rejected' | 'expired';

  /** Made by the SDK. */
  constructor(status: 'rejected' | 'expired') {
    super(
      status === 'rejected' ? 'The user rejected the connection' : 'The user did not decide before the end',
    );
    this.status = status;
  }
}

/** The organization requires two owners for this: nothing has changed, and another owner decides. */
export class SecondOwnerNeededError extends PayAssentError {
  override readonly name = 'SecondOwnerNeededError';
  override readonly code = 'second_owner_needed';
  /** What waits; see `approvals` of `MerchantClient`. */
  readonly approval: Approval;

  /** Made by the SDK. */
  constructor(approval: Approval) {
    super(`Nothing has changed yet: another owner has to approve ${approval.approval_id}`);
    this.approval = approval;
  }
}

/** No key of the wallet has authorized this: nothing has changed, and it takes effect after 24 hours. */
export class ChangePendingError extends PayAssentError {
  override readonly name = 'ChangePendingError';
  override readonly code = 'change_pending';
  /** What waits; see `pendingChanges` of `WalletClient`. */
  readonly pendingChange: PendingChange;

  /** Made by the SDK. */
  constructor(pendingChange: PendingChange) {
    super(
      `Nothing has changed yet: ${pendingChange.change_id} takes effect at ${pendingChange.takes_effect_at}`,
    );
    this.pendingChange = pendingChange;
  }
}

/** Why a message is not accepted as a webhook of the service. */
export type WebhookRefusal = WebhookFault | 'body_malformed' | 'id_mismatch';

/** The message is not to be trusted: answer 400 and do nothing else. */
export class WebhookVerificationError extends PayAssentError {
  override readonly name = 'WebhookVerificationError';
  override readonly code = 'webhook_invalid';
  /** What was wrong; for one's own log, never for the answer. */
  readonly reason: WebhookRefusal;

  /** Made by the SDK. */
  constructor(reason: WebhookRefusal) {
    super(`The webhook is not accepted: ${reason.replaceAll('_', ' ')}`);
    this.reason = reason;
  }
}
