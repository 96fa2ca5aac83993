import type { PaymentRequest, WebhookDelivery } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { charts } from '../../texts/portal/charts.ts';
import { paymentRequests } from '../../texts/portal/payment-requests.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { merchantClient } from '../client.ts';
import { ApprovalChart } from './approval-chart.tsx';
import { DeliveryChart } from './delivery-chart.tsx';
import { RequestsChart } from './requests-chart.tsx';
import './charts.css';

const REQUESTS_AT_MOST = 500;
const DELIVERIES_AT_MOST = 300;
/** Drawings are for looking over, not for watching: the lists are what follows each change. */
const EVERY_MS = 30_000;

/** What happens, drawn from the newest records; each drawing says how many it covers. */
export function HomeCharts() {
  const query = useQuery({
    queryKey: ['home', 'charts'],
    queryFn: ({ signal }) => readMaterial(signal),
    refetchInterval: EVERY_MS,
  });
  return (
    <section className="section" aria-labelledby="charts-title">
      <h2 id="charts-title">{charts.title}</h2>
      <QueryView query={query}>
        {({ requests, isAll, deliveries, endpoints }) => (
          <div className="stack">
            {requests.length === 0 ? <NoRequests /> : <RequestsChart requests={requests} isAll={isAll} />}
            <div className="columns">
              {requests.length === 0 ? null : <ApprovalChart requests={requests} />}
              <DeliveryChart deliveries={deliveries} endpoints={endpoints} />
            </div>
          </div>
        )}
      </QueryView>
    </section>
  );
}

function NoRequests() {
  return (
    <section className="card stack">
      <h3>{charts.requests.title}</h3>
      <p className="soft">{charts.requests.none}</p>
      <p>
        <Link href="/payment-requests">{paymentRequests.title}</Link>
      </p>
    </section>
  );
}

async function readMaterial(signal: AbortSignal) {
  const page = { limit: 100 };
  const [requests, deliveries, endpoints] = await Promise.all([
    take<PaymentRequest>(merchantClient.paymentRequests.each(page, { signal }), REQUESTS_AT_MOST),
    take<WebhookDelivery>(merchantClient.webhooks.deliveries.each(page, { signal }), DELIVERIES_AT_MOST),
    merchantClient.webhooks.list(page, { signal }),
  ]);
  return {
    requests,
    isAll: requests.length < REQUESTS_AT_MOST,
    deliveries,
    endpoints: endpoints.webhook_endpoints,
  };
}

async function take<T>(records: AsyncIterable<T>, count: number): Promise<T[]> {
  const taken: T[] = [];
  for await (const record of records) {
    taken.push(record);
    if (taken.length >= count) break;
  }
  return taken;
}
