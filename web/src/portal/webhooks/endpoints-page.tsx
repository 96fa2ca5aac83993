import type { WebhookEndpoint } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { webhooks as texts } from '../../texts/portal/webhooks.ts';
import { Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { merchantClient } from '../client.ts';
import { StatusBadge } from '../parts/status-badge.tsx';
import { Table } from '../parts/table.tsx';
import { Offered } from '../shell/offered.tsx';
import { subscriptionName } from './event-names.tsx';

/** An organization has 16 endpoints at most: one page holds them all. */
export function useEndpoints() {
  return useQuery({
    queryKey: ['webhooks', 'endpoints'],
    queryFn: async ({ signal }) =>
      (await merchantClient.webhooks.list({ limit: 100 }, { signal })).webhook_endpoints,
  });
}

export function EndpointsPage() {
  const query = useEndpoints();
  return (
    <Page title={texts.title} actions={<Actions />}>
      <p className="soft">{texts.lead}</p>
      <QueryView query={query}>
        {(endpoints) =>
          endpoints.length === 0 ? (
            <EmptyState title={texts.empty.title}>{texts.empty.text}</EmptyState>
          ) : (
            <Table label={texts.table} heads={Object.values(texts.heads)}>
              {endpoints.map((endpoint) => (
                <EndpointRow key={endpoint.webhook_endpoint_id} endpoint={endpoint} />
              ))}
            </Table>
          )
        }
      </QueryView>
    </Page>
  );
}

function Actions() {
  return (
    <div className="row">
      <Link className="button" href="/webhooks/deliveries">
        {texts.deliveries}
      </Link>
      <Offered call="POST /v1/webhook-endpoints">
        <Link className="button" data-kind="main" href="/webhooks/new">
          {texts.add}
        </Link>
      </Offered>
    </div>
  );
}

function EndpointRow({ endpoint }: { endpoint: WebhookEndpoint }) {
  return (
    <tr>
      <td>
        <Link href={`/webhooks/${endpoint.webhook_endpoint_id}`}>
          <ForeignText inline>{endpoint.url}</ForeignText>
        </Link>
      </td>
      <td>
        <StatusBadge status={endpoint.status} />
      </td>
      <td>{endpoint.event_types.map(subscriptionName).join(', ')}</td>
      <td className="nowrap">
        <Moment>{endpoint.created_at}</Moment>
      </td>
    </tr>
  );
}
