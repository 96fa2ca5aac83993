import { WEBHOOK_DELIVERY_STATUSES } from '../enumerations.ts';
import type { WebhookSubscription } from '../event-types.ts';
import { nullableText, oneOf, record, Type, typed } from '../records/schema.ts';
import { WebhookDeliverySchema, WebhookEndpointSchema } from '../records/webhook.ts';
import { input, VERSION } from './members.ts';
import { operations } from './operation.ts';
import { PAGE, PAGE_QUERY, pageOf } from './pages.ts';

const operation = operations({ tag: 'Webhooks', credential: ['merchant'] });

const MAX_SUBSCRIPTIONS = 64;

const url = Type.String({
  minLength: 1,
  description: 'HTTPS, at a public address. http and loopback are for a local service only.',
});
const eventTypes = Type.Array(typed<WebhookSubscription>('WebhookSubscription', { type: 'string' }), {
  minItems: 1,
  maxItems: MAX_SUBSCRIPTIONS,
  description: '`*`, an exact type, or `<prefix>.*`; everything when absent.',
});
const secret = Type.String({ description: '`whsec_` and 32 bytes in base64. Shown once.' });
const endpoint = record('WebhookEndpointAnswer', 'One webhook endpoint.', {
  webhook_endpoint: WebhookEndpointSchema,
});
const endpointWithSecret = record('WebhookEndpointWithSecret', 'A webhook endpoint with its secret.', {
  webhook_endpoint: WebhookEndpointSchema,
  secret,
});

export const createWebhookEndpoint = operation('createWebhookEndpoint', 'POST /v1/webhook-endpoints', {
  sdk: 'MerchantWebhooks.create',
  summary: 'Create a webhook endpoint; its secret is shown once',
  description: 'Nothing is sent until the endpoint has been verified.',
  body: input('WebhookEndpointInput', 'A new webhook endpoint.', {
    url,
    event_types: Type.Optional(eventTypes),
  }),
  status: 201,
  errors: ['limit_reached'],
  answer: endpointWithSecret,
  example: { url: 'https://shop.example/webhooks', event_types: ['payment_request.*'] },
});

export const listWebhookEndpoints = operation('listWebhookEndpoints', 'GET /v1/webhook-endpoints', {
  sdk: 'MerchantWebhooks.list',
  summary: 'List the webhook endpoints of this organization, newest first',
  description: 'Secrets are never listed.',
  query: PAGE,
  answer: pageOf('WebhookEndpointsPage', 'webhook_endpoints', WebhookEndpointSchema),
});

export const getWebhookEndpoint = operation('getWebhookEndpoint', 'GET /v1/webhook-endpoints/{id}', {
  sdk: 'MerchantWebhooks.get',
  summary: 'Read one webhook endpoint',
  description: 'The secret is never shown again; rotate it when it is lost.',
  answer: endpoint,
});

export const updateWebhookEndpoint = operation('updateWebhookEndpoint', 'PATCH /v1/webhook-endpoints/{id}', {
  sdk: 'MerchantWebhooks.update',
  summary: 'Change the address, the subscriptions or the status of a webhook endpoint',
  description:
    'A new url has to be verified before anything is sent to it. Setting a disabled endpoint to active sends it a challenge first.',
  body: input('WebhookEndpointChange', 'A change of a webhook endpoint.', {
    url: Type.Optional(url),
    event_types: Type.Optional(eventTypes),
    status: Type.Optional(
      oneOf(['active', 'disabled'], '`active` only from `disabled`; the endpoint gets a challenge again.'),
    ),
    version: VERSION,
  }),
  errors: ['version_conflict', 'invalid_status_transition', 'endpoint_verification_failed'],
  answer: endpoint,
  example: { event_types: ['payment_request.confirmed'], version: 1 },
});

export const deleteWebhookEndpoint = operation('deleteWebhookEndpoint', 'DELETE /v1/webhook-endpoints/{id}', {
  sdk: 'MerchantWebhooks.delete',
  summary: 'Delete a webhook endpoint and cancel what waits for it',
  description: 'Final. Deliveries that were made stay in the list.',
  answer: endpoint,
});

export const verifyWebhookEndpoint = operation(
  'verifyWebhookEndpoint',
  'POST /v1/webhook-endpoints/{id}/verify',
  {
    sdk: 'MerchantWebhooks.verify',
    summary: 'Send a challenge to a webhook endpoint; the right response activates it',
    description:
      'Sends a signed `webhook.verification` immediately. A 2xx response whose body is the challenge, or a JSON object with it as `challenge`, passes.',
    errors: ['endpoint_verification_failed'],
    answer: endpoint,
  },
);

export const rotateWebhookSecret = operation(
  'rotateWebhookSecret',
  'POST /v1/webhook-endpoints/{id}/rotate-secret',
  {
    sdk: 'MerchantWebhooks.rotateSecret',
    summary: 'Replace the secret of a webhook endpoint',
    description: 'Both secrets sign for 24 hours. Another rotation ends the oldest one immediately.',
    answer: endpointWithSecret,
  },
);

export const listWebhookDeliveries = operation('listWebhookDeliveries', 'GET /v1/webhook-deliveries', {
  sdk: 'MerchantDeliveries.list',
  summary: 'List delivery attempts, newest first',
  description: 'One record per attempt; kept for 30 days.',
  query: record('WebhookDeliveryQuery', 'Which deliveries.', {
    ...PAGE_QUERY,
    webhook_endpoint_id: Type.Optional(Type.String({ description: 'Only those to this endpoint.' })),
    status: Type.Optional(oneOf(WEBHOOK_DELIVERY_STATUSES, 'Only those in this status.')),
    event_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description: 'Only those of these events, comma separated.',
      }),
    ),
  }),
  answer: pageOf('WebhookDeliveriesPage', 'webhook_deliveries', WebhookDeliverySchema),
});

export const getWebhookDelivery = operation('getWebhookDelivery', 'GET /v1/webhook-deliveries/{id}', {
  sdk: 'MerchantDeliveries.get',
  summary: 'Read a delivery attempt with what was sent',
  description: 'What your server sent back is not kept.',
  answer: record('WebhookDeliveryWithPayload', 'A delivery and the message that it sent.', {
    webhook_delivery: WebhookDeliverySchema,
    payload: nullableText(
      'The body of the message, as it was signed. Null for a verification, and once the message is no longer kept: 7 days after the last attempt.',
    ),
  }),
});

export const redeliverWebhook = operation('redeliverWebhook', 'POST /v1/webhook-deliveries/{id}/redeliver', {
  sdk: 'MerchantDeliveries.redeliver',
  summary: 'Send an event again',
  description: 'A new record with the same event: same `webhook-id`, same bytes.',
  status: 202,
  errors: ['invalid_status_transition', 'limit_reached'],
  answer: record('WebhookDeliveryAnswer', 'One delivery.', {
    webhook_delivery: WebhookDeliverySchema,
  }),
});
