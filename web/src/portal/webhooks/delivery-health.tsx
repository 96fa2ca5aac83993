import type { WebhookDelivery } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { deliveries } from '../../texts/portal/webhooks.ts';
import { Note } from '../../ui/notes.tsx';
import { percentWords } from '../../ui/numbers.ts';
import { merchantClient } from '../client.ts';
import { median } from '../parts/figures.ts';
import { CALM_MS } from '../parts/intervals.ts';

const texts = deliveries.health;
const NEWEST_ALL_FAILED = 3;

/** How the newest hundred attempts went, in one sentence. Challenges do not count: they are not deliveries of events. */
export function DeliveryHealth({ endpointId }: { endpointId: string }) {
  const query = useQuery({
    queryKey: ['webhooks', 'health', endpointId],
    queryFn: ({ signal }) =>
      merchantClient.webhooks.deliveries.list({ limit: 100, webhook_endpoint_id: endpointId }, { signal }),
    refetchInterval: CALM_MS,
  });
  const finished = (query.data?.webhook_deliveries ?? []).filter(isFinishedEvent);
  if (finished.length === 0) return <p className="soft">{texts.none}</p>;
  const delivered = finished.filter(({ status }) => status === 'delivered');
  const percent = percentWords(delivered.length / finished.length);
  const isFailing =
    finished.length >= NEWEST_ALL_FAILED &&
    finished.slice(0, NEWEST_ALL_FAILED).every(({ status }) => status === 'failed');
  const duration = median(delivered.flatMap(({ duration_ms }) => duration_ms ?? []));
  return (
    <Note kind={isFailing ? 'warn' : delivered.length === finished.length ? 'good' : 'plain'}>
      <span>{texts.summary(delivered.length, finished.length, percent)}</span>
      {duration === undefined ? null : <span>{texts.median(duration)}</span>}
      {isFailing ? <strong>{texts.failing}</strong> : null}
    </Note>
  );
}

function isFinishedEvent(delivery: WebhookDelivery): boolean {
  const isFinished = delivery.status === 'delivered' || delivery.status === 'failed';
  return isFinished && delivery.event_type !== 'webhook.verification';
}
