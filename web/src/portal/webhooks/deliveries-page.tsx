import { WEBHOOK_DELIVERY_STATUSES } from '@payassent/protocol';
import type { WebhookDelivery } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { deliveries as texts } from '../../texts/portal/webhooks.ts';
import { Problem, useAction } from '../../ui/action.tsx';
import { Button } from '../../ui/button.tsx';
import { Moment } from '../../ui/facts.tsx';
import { showHidden } from '../../ui/hidden-characters.ts';
import { Note } from '../../ui/notes.tsx';
import { percentWords } from '../../ui/numbers.ts';
import { Page } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { merchantClient } from '../client.ts';
import { median } from '../parts/figures.ts';
import {
  PagedTable,
  Row,
  RowLink,
  StatusBadge,
  StatusFilter,
  usePages,
  usePanelHref,
  useUrlFilter,
} from '../parts/lists.tsx';
import { CALM_MS, LIST_MS, LiveMark } from '../parts/live.tsx';
import { Offered } from '../shell/offered.tsx';
import { DeliveryPanel } from './delivery-panel.tsx';
import { useEndpoints } from './endpoints-page.tsx';
import { Answer, eventName } from './event-names.tsx';

export function DeliveriesPage() {
  const endpoints = useEndpoints();
  const [endpointId, setEndpointId] = useState('');
  const choices = [
    { value: '', label: texts.anyEndpoint },
    ...(endpoints.data ?? []).map((endpoint) => ({
      value: endpoint.webhook_endpoint_id,
      label: showHidden(endpoint.url),
    })),
  ];
  return (
    <Page title={texts.title}>
      <div className="filter">
        <SelectField label={texts.endpoint} choices={choices} value={endpointId} onValue={setEndpointId} />
      </div>
      {endpointId === '' ? null : <DeliveryHealth endpointId={endpointId} />}
      <DeliveryList endpointId={endpointId === '' ? undefined : endpointId} />
    </Page>
  );
}

/** Attempts, newest first, of one endpoint or of all. */
export function DeliveryList({ endpointId }: { endpointId?: string | undefined }) {
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
    everyMs: LIST_MS,
  });
  const again = useAction();
  const [chosen, setChosen] = useState('');
  const redeliver = (id: string) => {
    setChosen(id);
    void again.run(async () => {
      await merchantClient.webhooks.deliveries.redeliver(id);
      await refresh('webhooks');
    });
  };
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
      <div role="status">{again.isDone ? <Note kind="good">{texts.redelivered}</Note> : null}</div>
      <Problem error={again.error} />
      <PagedTable
        pages={pages}
        texts={texts}
        isFiltered={status !== undefined}
        rows={(page) => page.webhook_deliveries}
      >
        {(delivery) => (
          <DeliveryRow
            key={delivery.delivery_id}
            delivery={delivery}
            isBusy={again.isBusy && chosen === delivery.delivery_id}
            onRedeliver={() => redeliver(delivery.delivery_id)}
          />
        )}
      </PagedTable>
      <DeliveryPanel />
    </div>
  );
}

interface RowProps {
  delivery: WebhookDelivery;
  isBusy: boolean;
  onRedeliver(): void;
}

function DeliveryRow({ delivery, isBusy, onRedeliver }: RowProps) {
  const panelHref = usePanelHref();
  const canRepeat = delivery.status !== 'pending' && delivery.event_type !== 'webhook.verification';
  return (
    <Row>
      <td>
        <RowLink href={panelHref({ open: delivery.delivery_id })}>{eventName(delivery.event_type)}</RowLink>
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
      {canRepeat ? (
        <Offered call="POST /v1/webhook-deliveries/{}/redeliver">
          <Button kind="plain" isBusy={isBusy} onClick={onRedeliver}>
            {texts.redeliver}
          </Button>
        </Offered>
      ) : null}
    </Row>
  );
}

const healthTexts = texts.health;
const NEWEST_ALL_FAILED = 3;

/** The results of the newest hundred attempts, in one sentence. Challenges do not count: they deliver no events. */
export function DeliveryHealth({ endpointId }: { endpointId: string }) {
  const query = useQuery({
    queryKey: ['webhooks', 'health', endpointId],
    queryFn: ({ signal }) =>
      merchantClient.webhooks.deliveries.list({ limit: 100, webhook_endpoint_id: endpointId }, { signal }),
    refetchInterval: CALM_MS,
  });
  const finished = (query.data?.webhook_deliveries ?? []).filter(isFinishedEvent);
  if (finished.length === 0) return <p className="soft">{healthTexts.none}</p>;
  const delivered = finished.filter(({ status }) => status === 'delivered');
  const percent = percentWords(delivered.length / finished.length);
  const isFailing =
    finished.length >= NEWEST_ALL_FAILED &&
    finished.slice(0, NEWEST_ALL_FAILED).every(({ status }) => status === 'failed');
  const duration = median(delivered.flatMap(({ duration_ms }) => duration_ms ?? []));
  return (
    <Note kind={isFailing ? 'warn' : delivered.length === finished.length ? 'good' : 'plain'}>
      <span>{healthTexts.summary(delivered.length, finished.length, percent)}</span>
      {duration === undefined ? null : <span>{healthTexts.median(duration)}</span>}
      {isFailing ? <strong>{healthTexts.failing}</strong> : null}
    </Note>
  );
}

function isFinishedEvent(delivery: WebhookDelivery): boolean {
  const isFinished = delivery.status === 'delivered' || delivery.status === 'failed';
  return isFinished && delivery.event_type !== 'webhook.verification';
}
