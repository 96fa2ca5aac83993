import type { AgentPaymentStatus, PaymentRequestStatus, WebhookFault } from '@payassent/protocol';
import type { AgentPayment, Approval, PaymentRequest, PendingChange } from '../contract.ts';
import { PayAssentError } from './transport.ts';

/** The events of a connection are numbered without gaps; these are not, so one is missing. */
export class EventGapError extends PayAssentError {
  override readonly name = 'EventGapError';
  override readonly code = 'event_gap';
  /** The expected number. */
  readonly expected: number;
  /** The received number. */
  readonly received: number;

  /** Made by the SDK. */
  constructor(expected: number, received: number) {
    super(`The next event should be number ${expected}, but number ${received} came`);
    this.expected = expected;
    this.received = received;
  }
}

/**
 * The awaited state was not reached in time. Nothing is wrong with the payment; it may still get there. `cause` is the
 * last failed poll, when there was one.
 */
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
  constructor(what: string, timeoutMs: number, last?: PaymentRequest | AgentPayment, failure?: unknown) {
    const id = last && ('id' in last ? last.id : last.request_id);
    super(
      last
        ? `Timed out after ${timeoutMs} ms: ${id} is still ${last.status}. Wait for it again; do not request a second payment`
        : `${what} did not happen within ${timeoutMs} ms`,
    );
    this.paymentRequest = last && 'request_id' in last ? last : undefined;
    this.agentPayment = last && 'id' in last ? last : undefined;
    this.status = last?.status;
    if (failure !== undefined) this.cause = failure;
  }
}

/** The customer did not approve the connection. */
export class NotApprovedError extends PayAssentError {
  override readonly name = 'NotApprovedError';
  override readonly code = 'not_approved';
  /** How the invitation or pairing session ended. */
  readonly status: 'rejected' | 'expired';

  /** Made by the SDK. */
  constructor(status: 'rejected' | 'expired') {
    super(
      status === 'rejected'
        ? 'The customer rejected the connection'
        : 'The customer did not decide before the end',
    );
    this.status = status;
  }
}

/** The organization requires two owners for this: nothing has changed until another owner decides. */
export class SecondOwnerNeededError extends PayAssentError {
  override readonly name = 'SecondOwnerNeededError';
  override readonly code = 'second_owner_needed';
  /** The pending approval; see `approvals` of `MerchantClient`. */
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
  /** The pending change; see `pendingChanges` of `WalletClient`. */
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
export type WebhookRefusal = WebhookFault | 'body_malformed' | 'id_mismatch' | 'challenge_needs_secret';

/** The message must not be trusted: return 400 and do nothing else. */
export class WebhookVerificationError extends PayAssentError {
  override readonly name = 'WebhookVerificationError';
  override readonly code = 'webhook_invalid';
  /** The reason; for the receiver's log, never for the response. */
  readonly reason: WebhookRefusal;

  /** Made by the SDK. */
  constructor(reason: WebhookRefusal) {
    super(`The webhook is not accepted: ${reason.replaceAll('_', ' ')}`);
    this.reason = reason;
  }
}
