import type { WebhookDelivery } from '@payassent/sdk';
import { deliveries as texts } from '../../texts/portal/webhooks.ts';
import { faultWords } from './event-names.tsx';

/** What the endpoint said to an attempt, or why it said nothing. */
export function Answer({ delivery }: { delivery: WebhookDelivery }) {
  const { http_status: status, error_class: fault, duration_ms: ms } = delivery;
  return (
    <>
      {status === null ? null : texts.answered(status)}
      {status === null || ms === null ? null : ', '}
      {ms === null ? null : texts.tookMs(ms)}
      {fault === null ? null : <div>{faultWords(fault)}</div>}
    </>
  );
}
