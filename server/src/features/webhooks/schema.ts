import {
  type Issue,
  isWebhookSubscription,
  WEBHOOK_DELIVERY_STATUSES,
  WEBHOOK_SUBSCRIPTIONS,
  type WebhookDeliveryStatus,
} from '@countersign/protocol';
import { type Static, Type } from 'typebox';
import { PAGE_QUERY } from '../../http/page.ts';
import { judgeUrl, type UrlFault } from '../../lib/outbound/index.ts';

const MAX_SUBSCRIPTIONS = 64;

const url = Type.String({
  minLength: 1,
  description: 'HTTPS, at a public address. http and loopback are for a local service only.',
});
const eventTypes = Type.Array(Type.String(), {
  minItems: 1,
  maxItems: MAX_SUBSCRIPTIONS,
  description: '`*`, an exact type, or `<prefix>.*`.',
});

export const EndpointInput = Type.Object(
  { url, event_types: Type.Optional(eventTypes) },
  { additionalProperties: false },
);
export type EndpointInput = Static<typeof EndpointInput>;

export const EndpointChange = Type.Object(
  {
    url: Type.Optional(url),
    event_types: Type.Optional(eventTypes),
    status: Type.Optional(
      Type.Unsafe<'active' | 'disabled'>({
        type: 'string',
        enum: ['active', 'disabled'],
        description: '`active` only from `disabled`; the endpoint is asked to answer a challenge again.',
      }),
    ),
    version: Type.Integer({ description: 'The version of the record that this change is based on.' }),
  },
  { additionalProperties: false },
);
export type EndpointChange = Static<typeof EndpointChange>;

export const DeliveryQuery = Type.Object({
  ...PAGE_QUERY,
  webhook_endpoint_id: Type.Optional(Type.String()),
  status: Type.Optional(
    Type.Unsafe<WebhookDeliveryStatus>({ type: 'string', enum: [...WEBHOOK_DELIVERY_STATUSES] }),
  ),
});

export function endpointIssues(
  body: { url?: string; event_types?: string[] },
  options: { allowLoopback: boolean },
): Issue[] {
  return [...urlIssues(body.url, options), ...subscriptionIssues(body.event_types)];
}

const URL_FAULTS: Record<UrlFault, string> = {
  too_long: 'url must have at most 2048 characters.',
  invalid_format: 'url must be an absolute address such as https://shop.example/hooks.',
  scheme_not_allowed:
    'url must begin with https://; http is for loopback hosts, while the service itself runs there.',
  user_info_not_allowed: 'url must not carry a user name or password.',
  blocked_address: 'url must lead to a public address.',
};

function urlIssues(text: string | undefined, options: { allowLoopback: boolean }): Issue[] {
  if (text === undefined || text === '') return [];
  const judged = judgeUrl(text, options);
  if (judged.ok) return [];
  const code = judged.reason === 'too_long' ? 'too_long' : 'invalid_format';
  return [{ field: 'url', code, message: URL_FAULTS[judged.reason] }];
}

function subscriptionIssues(entries: readonly string[] | undefined): Issue[] {
  return (entries ?? []).flatMap((entry, index): Issue[] =>
    isWebhookSubscription(entry)
      ? []
      : [
          {
            field: `event_types[${index}]`,
            code: 'invalid_enum',
            message: `event_types[${index}] must be one of ${WEBHOOK_SUBSCRIPTIONS.join(', ')}.`,
          },
        ],
  );
}
