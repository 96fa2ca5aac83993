import type { PaymentRequest } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { paymentRequests } from '../../texts/portal/payment-requests.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { merchantClient } from '../client.ts';
import { StatusBadge } from '../parts/lists.tsx';
import { CALM_MS, PreciseMoment } from '../parts/live.tsx';
import { Answer, eventName } from '../webhooks/event-names.tsx';
import { historyQuery } from './timeline.tsx';

const texts = paymentRequests.deliveries;
/** As many events as a query may name. */
const EVENTS_AT_MOST = 30;

/** The deliveries of each step to the merchant's server. */
export function Deliveries({ request }: { request: PaymentRequest }) {
  const history = useQuery(historyQuery(request));
  const ids = history.data?.slice(-EVENTS_AT_MOST).map(({ event_id }) => event_id) ?? [];
  const query = useQuery({
    queryKey: ['payment-requests', 'deliveries', ids],
    queryFn: async ({ signal }) => {
      if (ids.length === 0) return [];
      const page = { limit: 100, event_id: ids.join(',') };
      return (await merchantClient.webhooks.deliveries.list(page, { signal })).webhook_deliveries;
    },
    enabled: history.isSuccess,
    refetchInterval: CALM_MS,
  });
  return (
    <section className="card stack" aria-labelledby="deliveries-title">
      <h2 id="deliveries-title">{texts.title}</h2>
      <QueryView query={query}>
        {(deliveries) =>
          deliveries.length === 0 ? (
            <p className="soft">
              {texts.none} <Link href="/webhooks">{texts.action}</Link>
            </p>
          ) : (
            <ul className="plain-list">
              {deliveries.map((delivery) => (
                <li key={delivery.delivery_id}>
                  <div className="row">
                    <strong>{eventName(delivery.event_type)}</strong>
                    <StatusBadge status={delivery.status} />
                  </div>
                  <div className="soft">
                    <PreciseMoment at={delivery.attempted_at ?? delivery.created_at} />{' '}
                    <Answer delivery={delivery} />
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </section>
  );
}
