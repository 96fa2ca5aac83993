import { type Issue, isWebhookSubscription, WEBHOOK_SUBSCRIPTIONS } from '@payassent/protocol';
import type { BodyOf, createWebhookEndpoint, updateWebhookEndpoint } from '@payassent/protocol/api';
import { judgeUrl, type UrlFault } from '../../../lib/outbound/index.ts';

export type EndpointInput = BodyOf<typeof createWebhookEndpoint>;
export type EndpointChange = BodyOf<typeof updateWebhookEndpoint>;

export function endpointIssues(
  body: { url?: string; event_types?: string[] },
  options: { allowLoopback: boolean },
): Issue[] {
  return [...urlIssues('url', body.url, options), ...subscriptionIssues(body.event_types)];
}

const URL_FAULTS: Record<UrlFault, string> = {
  too_long: 'must have at most 2048 characters.',
  invalid_format: 'must be an absolute address such as https://shop.example/hooks.',
  scheme_not_allowed:
    'must begin with https://; http is for loopback hosts, while the service itself runs there.',
  user_info_not_allowed: 'must not carry a user name or password.',
  blocked_address: 'must lead to a public address.',
};

/** `field`: the member that carries the address. */
export function urlIssues(
  field: string,
  text: string | undefined,
  options: { allowLoopback: boolean },
): Issue[] {
  if (text === undefined || text === '') return [];
  const judged = judgeUrl(text, options);
  if (judged.ok) return [];
  const code = judged.reason === 'too_long' ? 'too_long' : 'invalid_format';
  return [{ field, code, message: `${field} ${URL_FAULTS[judged.reason]}` }];
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
