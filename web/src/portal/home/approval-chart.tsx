import type { PaymentRequest } from '@payassent/sdk';
import { charts } from '../../texts/portal/charts.ts';
import { durationWords, median } from '../parts/figures.ts';
import { ChartFrame } from './chart-frame.tsx';
import { bandCounts, decisionTimesMs } from './request-buckets.ts';

const texts = charts.approval;
const WIDTH = 420;
const ROW = 28;
const LABEL = 104;

export function ApprovalChart({ requests }: { requests: readonly PaymentRequest[] }) {
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
