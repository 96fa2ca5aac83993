import type { WebhookDelivery, WebhookEndpoint } from '@payassent/sdk';
import { Link } from 'wouter';
import { charts } from '../../texts/portal/charts.ts';
import { showHidden } from '../../ui/hidden-characters.ts';
import { ChartFrame, Legend } from './chart-frame.tsx';

const texts = charts.delivery;
const WIDTH = 420;
const ROW = 46;

interface Line {
  name: string;
  delivered: number;
  failed: number;
  waiting: number;
}

export function DeliveryChart({
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
        <h3>{texts.title}</h3>
        <p className="soft">{texts.none}</p>
        <p>
          <Link href="/webhooks">{texts.action}</Link>
        </p>
      </section>
    );
  const lines = linesOf(events, endpoints);
  const parts = lines.map(
    ({ name, delivered, failed, waiting }) =>
      `${name}: ${texts.delivered} ${delivered}, ${texts.failed} ${failed}, ${texts.waiting} ${waiting}`,
  );
  return (
    <ChartFrame
      title={texts.title}
      covers={texts.covers(events.length)}
      heads={[texts.endpoint, texts.delivered, texts.failed, texts.waiting]}
      rows={lines.map(({ name, delivered, failed, waiting }) => [name, delivered, failed, waiting])}
    >
      <Rows lines={lines} label={texts.alternative(parts.join('; '))} />
      <Legend
        entries={[
          { group: 'confirmed', label: texts.delivered },
          { group: 'rejected', label: texts.failed },
          { group: 'waiting', label: texts.waiting },
        ]}
      />
    </ChartFrame>
  );
}

function linesOf(deliveries: readonly WebhookDelivery[], endpoints: readonly WebhookEndpoint[]): Line[] {
  const lines = new Map<string, Line>();
  for (const { webhook_endpoint_id: id, status } of deliveries) {
    const endpoint = endpoints.find(({ webhook_endpoint_id }) => webhook_endpoint_id === id);
    const name = endpoint === undefined ? `${texts.gone} (${id})` : showHidden(endpoint.url);
    const line = lines.get(id) ?? { name, delivered: 0, failed: 0, waiting: 0 };
    if (status === 'delivered') line.delivered += 1;
    else if (status === 'failed') line.failed += 1;
    else line.waiting += 1;
    lines.set(id, line);
  }
  return [...lines.values()];
}

const NAME_CHARACTERS = 52;

function Rows({ lines, label }: { lines: readonly Line[]; label: string }) {
  return (
    <svg className="chart" viewBox={`0 0 ${WIDTH} ${lines.length * ROW}`} role="img" aria-label={label}>
      {lines.map(({ name, delivered, failed, waiting }, index) => {
        const all = delivered + failed + waiting;
        const top = index * ROW + 20;
        const good = (delivered / all) * WIDTH;
        const bad = (failed / all) * WIDTH;
        return (
          <g key={name}>
            <text x={0} y={top - 6}>
              {name.length > NAME_CHARACTERS ? `${name.slice(0, NAME_CHARACTERS - 1)}…` : name}
            </text>
            <rect data-group="confirmed" x={0} y={top} width={good} height={16} />
            <rect data-group="rejected" x={good} y={top} width={bad} height={16} />
            <rect data-group="waiting" x={good + bad} y={top} width={WIDTH - good - bad} height={16} />
          </g>
        );
      })}
    </svg>
  );
}
