import type { WebhookDeliveryWithPayload } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { deliveries } from '../../texts/portal/webhooks.ts';
import { Button, CopyButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialogs.tsx';
import { Facts } from '../../ui/facts.tsx';
import { showHiddenInLines } from '../../ui/hidden-characters.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { merchantClient } from '../client.ts';
import { StatusBadge, useUrlFilters } from '../parts/lists.tsx';
import { PreciseMoment } from '../parts/live.tsx';
import { Answer, eventName } from './event-names.tsx';

const texts = deliveries.panel;

/** One delivery next to the list, with what was sent. */
export function DeliveryPanel() {
  const [query, choose] = useUrlFilters();
  const id = query.get('open');
  const close = () => choose({ open: '' }, 'panel');
  return (
    <Dialog
      title={texts.title}
      isOpen={id !== null}
      onClose={close}
      place="side"
      actions={<Button onClick={close}>{texts.close}</Button>}
    >
      {id === null ? null : <Delivery id={id} />}
    </Dialog>
  );
}

function Delivery({ id }: { id: string }) {
  const query = useQuery({
    queryKey: ['webhooks', 'delivery', id],
    queryFn: ({ signal }) => merchantClient.webhooks.deliveries.get(id, { signal }),
  });
  return <QueryView query={query}>{(found) => <Sent found={found} />}</QueryView>;
}

function Sent({ found: { webhook_delivery: delivery, payload } }: { found: WebhookDeliveryWithPayload }) {
  return (
    <div className="stack">
      <Facts
        facts={[
          [texts.event, eventName(delivery.event_type)],
          [deliveries.heads.status, <StatusBadge key="status" status={delivery.status} />],
          [deliveries.heads.answer, <Answer key="answer" delivery={delivery} />],
          [
            deliveries.heads.when,
            <PreciseMoment key="when" at={delivery.attempted_at ?? delivery.created_at} />,
          ],
          [texts.id, <code key="id">{delivery.event_id}</code>],
        ]}
      />
      <div className="row-between">
        <h3>{texts.payload}</h3>
        {payload === null ? null : <CopyButton value={payload} name={texts.payload.toLowerCase()} />}
      </div>
      {payload === null ? <p className="soft">{texts.gone}</p> : <Payload>{payload}</Payload>}
    </div>
  );
}

/** Formatted for reading; the copy button copies the signed bytes. */
function Payload({ children }: { children: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer
    <section className="sample-frame" tabIndex={0} aria-label={texts.payload}>
      <pre className="sample">{showHiddenInLines(JSON.stringify(JSON.parse(children), null, 2))}</pre>
    </section>
  );
}
