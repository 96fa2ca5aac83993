import type { WebhookDelivery } from '@payassent/sdk';
import { deliveries, webhooks } from '../../texts/portal/webhooks.ts';

/** `payment_request.signed` in words. */
export function eventName(type: string): string {
  const [family = '', act = ''] = type.split('.');
  if (family === 'webhook') return webhooks.challenge;
  return webhooks.typeName(webhooks.families[family] ?? family, webhooks.types[act] ?? act);
}

export function actName(type: string): string {
  const act = type.slice(type.indexOf('.') + 1);
  return webhooks.types[act] ?? act;
}

export function subscriptionName(subscription: string): string {
  if (subscription === '*') return webhooks.everything;
  if (subscription.endsWith('.*')) return webhooks.families[subscription.slice(0, -2)] ?? subscription;
  return eventName(subscription);
}

export function faultWords(errorClass: string): string {
  return deliveries.faults[errorClass] ?? errorClass;
}

/** The response of the endpoint to an attempt, or why there was none. */
export function Answer({ delivery }: { delivery: WebhookDelivery }) {
  const { http_status: status, error_class: fault, duration_ms: ms } = delivery;
  return (
    <>
      {status === null ? null : deliveries.answered(status)}
      {status === null || ms === null ? null : ', '}
      {ms === null ? null : deliveries.tookMs(ms)}
      {fault === null ? null : <div>{faultWords(fault)}</div>}
    </>
  );
}
