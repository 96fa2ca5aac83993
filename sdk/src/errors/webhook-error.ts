import type { WebhookFault } from '@payassent/protocol';
import { PayAssentError } from './base.ts';

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
