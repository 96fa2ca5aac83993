import { WEBHOOK_DELIVERY_STATUSES } from '@payassent/protocol';
import type { WebhookDelivery } from '@payassent/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { deliveries as texts } from '../../texts/portal/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/facts.tsx';
import { EmptyState, Note } from '../../ui/notes.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { merchantClient } from '../client.ts';
import { LIST_MS } from '../parts/intervals.ts';
import { LiveMark } from '../parts/live-mark.tsx';
import { PageSteps, usePages } from '../parts/pages.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { StatusFilter } from '../parts/status-filter.tsx';
import { Table } from '../parts/table.tsx';
import { useUrlFilter } from '../parts/url-filter.ts';
import { Offered } from '../shell/offered.tsx';
import { Answer } from './answer.tsx';
import { eventName } from './event-names.tsx';

/** Attempts, newest first, of one endpoint or of all. */
export function DeliveryList({ endpointId }: { endpointId?: string | undefined }) {
  const queries = useQueryClient();
  const [status, setStatus] = useUrlFilter('status', WEBHOOK_DELIVERY_STATUSES);
  const pages = usePages({
    key: ['webhooks', 'deliveries', endpointId ?? null, status ?? null],
    read: (cursor, signal) => {
      const filters = {
        ...(status === undefined ? {} : { status }),
        ...(endpointId === undefined ? {} : { webhook_endpoint_id: endpointId }),
      };
      return merchantClient.webhooks.deliveries.list({ limit: 25, ...filters, ...cursor }, { signal });
    },
    next: (page) => page.next_cursor,
    everyMs: LIST_MS,
  });
  const again = useMutation({
    mutationFn: (deliveryId: string) => merchantClient.webhooks.deliveries.redeliver(deliveryId),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['webhooks'] }),
  });
  return (
    <div className="stack">
      <p className="soft">{texts.lead}</p>
      <div className="filters">
        <StatusFilter
          label={texts.filter}
          statuses={WEBHOOK_DELIVERY_STATUSES}
          value={status}
          onChange={setStatus}
        />
        <LiveMark query={pages.query} />
      </div>
      <div role="status">{again.isSuccess ? <Note kind="good">{texts.redelivered}</Note> : null}</div>
      {again.error === null ? null : <ErrorNote error={again.error} />}
      <QueryView query={pages.query}>
        {(page) =>
          page.webhook_deliveries.length === 0 ? (
            <EmptyState title={texts.empty.title}>
              {status === undefined ? texts.empty.text : texts.empty.filtered}
            </EmptyState>
          ) : (
            <div className="stack">
              <Table label={texts.table} heads={Object.values(texts.heads)}>
                {page.webhook_deliveries.map((delivery) => (
                  <DeliveryRow
                    key={delivery.delivery_id}
                    delivery={delivery}
                    isBusy={again.isPending && again.variables === delivery.delivery_id}
                    onRedeliver={() => again.mutate(delivery.delivery_id)}
                  />
                ))}
              </Table>
              <PageSteps pages={pages} />
            </div>
          )
        }
      </QueryView>
    </div>
  );
}

interface RowProps {
  delivery: WebhookDelivery;
  isBusy: boolean;
  onRedeliver(): void;
}

function DeliveryRow({ delivery, isBusy, onRedeliver }: RowProps) {
  const canRepeat = delivery.status !== 'pending' && delivery.event_type !== 'webhook.verification';
  return (
    <tr>
      <td>
        {eventName(delivery.event_type)}
        <br />
        <code className="soft">{delivery.event_id}</code>
      </td>
      <td>
        <StatusBadge status={delivery.status} />
        <div className="soft nowrap">{texts.attempt(delivery.attempt)}</div>
      </td>
      <td className="answer-cell">
        <Answer delivery={delivery} />
      </td>
      <td className="nowrap">
        <Moment>{delivery.attempted_at ?? delivery.created_at}</Moment>
        {delivery.next_attempt_at === null ? null : (
          <div className="soft">
            {texts.next} <Moment>{delivery.next_attempt_at}</Moment>
          </div>
        )}
      </td>
      <td>
        {canRepeat ? (
          <Offered call="POST /v1/webhook-deliveries/{}/redeliver">
            <Button kind="plain" isBusy={isBusy} onClick={onRedeliver}>
              {texts.redeliver}
            </Button>
          </Offered>
        ) : null}
      </td>
    </tr>
  );
}
