import type { PaymentRequest, WebhookDelivery, WebhookEndpoint } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { charts } from '../../texts/portal/charts.ts';
import { paymentRequests } from '../../texts/portal/payment-requests.ts';
import { showHidden } from '../../ui/hidden-characters.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { merchantClient } from '../client.ts';
import { durationWords, median } from '../parts/figures.ts';
import { ChartFrame, Legend } from './chart-frame.tsx';
import { bandCounts, decisionTimesMs } from './request-buckets.ts';
import { RequestsChart } from './requests-chart.tsx';
import './charts.css';

const REQUESTS_AT_MOST = 500;
const DELIVERIES_AT_MOST = 300;
/** Charts give an overview and are not watched: the lists follow each change. */
const EVERY_MS = 30_000;

/** Charts of the newest records; each names how many records it covers. */
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

const texts = charts.approval;
const WIDTH = 420;
const ROW = 28;
const LABEL = 104;

function ApprovalChart({ requests }: { requests: readonly PaymentRequest[] }) {
  const times = decisionTimesMs(requests);
  const middle = median(times);
  if (middle === undefined)
    return (
      <section className="card stack">
        <h3>{texts.title}</h3>
        <p className="soft">{texts.none}</p>
      </section>
    );
  const counts = bandCounts(times);
  const rows = texts.bands.map((band, index) => [band, counts[index] ?? 0] as const);
  const parts = rows.filter(([, count]) => count > 0).map(([band, count]) => `${band}: ${count}`);
  return (
    <ChartFrame
      title={texts.title}
      covers={texts.covers(times.length)}
      heads={[texts.within, texts.count]}
      rows={rows}
    >
      <p>
        <strong>{texts.median(durationWords(middle))}</strong>
      </p>
      <Rows rows={rows} label={texts.alternative(parts.join(', '))} />
    </ChartFrame>
  );
}

function Rows({ rows, label }: { rows: ReadonlyArray<readonly [string, number]>; label: string }) {
  const highest = Math.max(...rows.map(([, count]) => count));
  const space = WIDTH - LABEL - 40;
  return (
    <svg className="chart" viewBox={`0 0 ${WIDTH} ${rows.length * ROW}`} role="img" aria-label={label}>
      {rows.map(([band, count], index) => {
        const width = (count / highest) * space;
        return (
          <g key={band}>
            <text x={LABEL - 8} y={index * ROW + 18} textAnchor="end">
              {band}
            </text>
            <rect data-group="underWay" x={LABEL} y={index * ROW + 4} width={width} height={ROW - 8} rx={3} />
            <text x={LABEL + width + 6} y={index * ROW + 18}>
              {count}
            </text>
          </g>
        );
      })}
      <line className="axis" x1={LABEL} x2={LABEL} y1={0} y2={rows.length * ROW} />
    </svg>
  );
}

const deliveryTexts = charts.delivery;
const DELIVERY_WIDTH = 420;
const DELIVERY_ROW = 46;

interface Line {
  name: string;
  delivered: number;
  failed: number;
  waiting: number;
}

function DeliveryChart({
  deliveries,
  endpoints,
}: {
  deliveries: readonly WebhookDelivery[];
  endpoints: readonly WebhookEndpoint[];
}) {
  const events = deliveries.filter(
    ({ event_type, status }) => event_type !== 'webhook.verification' && status !== 'cancelled',
  );
  if (events.length === 0)
    return (
      <section className="card stack">
        <h3>{deliveryTexts.title}</h3>
        <p className="soft">{deliveryTexts.none}</p>
        <p>
          <Link href="/webhooks">{deliveryTexts.action}</Link>
        </p>
      </section>
    );
  const lines = linesOf(events, endpoints);
  const parts = lines.map(
    ({ name, delivered, failed, waiting }) =>
      `${name}: ${deliveryTexts.delivered} ${delivered}, ${deliveryTexts.failed} ${failed}, ${deliveryTexts.waiting} ${waiting}`,
  );
  return (
    <ChartFrame
      title={deliveryTexts.title}
      covers={deliveryTexts.covers(events.length)}
      heads={[deliveryTexts.endpoint, deliveryTexts.delivered, deliveryTexts.failed, deliveryTexts.waiting]}
      rows={lines.map(({ name, delivered, failed, waiting }) => [name, delivered, failed, waiting])}
    >
      <DeliveryRows lines={lines} label={deliveryTexts.alternative(parts.join('; '))} />
      <Legend
        entries={[
          { group: 'confirmed', label: deliveryTexts.delivered },
          { group: 'rejected', label: deliveryTexts.failed },
          { group: 'waiting', label: deliveryTexts.waiting },
        ]}
      />
    </ChartFrame>
  );
}

function linesOf(deliveries: readonly WebhookDelivery[], endpoints: readonly WebhookEndpoint[]): Line[] {
  const lines = new Map<string, Line>();
  for (const { webhook_endpoint_id: id, status } of deliveries) {
    const endpoint = endpoints.find(({ webhook_endpoint_id }) => webhook_endpoint_id === id);
    const name = endpoint === undefined ? `${deliveryTexts.gone} (${id})` : showHidden(endpoint.url);
    const line = lines.get(id) ?? { name, delivered: 0, failed: 0, waiting: 0 };
    if (status === 'delivered') line.delivered += 1;
    else if (status === 'failed') line.failed += 1;
    else line.waiting += 1;
    lines.set(id, line);
  }
  return [...lines.values()];
}

const NAME_CHARACTERS = 52;

function DeliveryRows({ lines, label }: { lines: readonly Line[]; label: string }) {
  return (
    <svg
      className="chart"
      viewBox={`0 0 ${DELIVERY_WIDTH} ${lines.length * DELIVERY_ROW}`}
      role="img"
      aria-label={label}
    >
      {lines.map(({ name, delivered, failed, waiting }, index) => {
        const all = delivered + failed + waiting;
        const top = index * DELIVERY_ROW + 20;
        const good = (delivered / all) * DELIVERY_WIDTH;
        const bad = (failed / all) * DELIVERY_WIDTH;
        return (
          <g key={name}>
            <text x={0} y={top - 6}>
              {name.length > NAME_CHARACTERS ? `${name.slice(0, NAME_CHARACTERS - 1)}…` : name}
            </text>
            <rect data-group="confirmed" x={0} y={top} width={good} height={16} />
            <rect data-group="rejected" x={good} y={top} width={bad} height={16} />
            <rect
              data-group="waiting"
              x={good + bad}
              y={top}
              width={DELIVERY_WIDTH - good - bad}
              height={16}
            />
          </g>
        );
      })}
    </svg>
  );
}
