import type { PaymentRequest } from '@payassent/sdk';
import { locale } from '../../texts/language.ts';
import { charts } from '../../texts/portal/charts.ts';
import { countWords } from '../../ui/numbers.ts';
import { ChartFrame, Legend } from './chart-frame.tsx';
import { type Bucket, bucketRequests, countGroups, GROUPS, type Span } from './request-buckets.ts';

const texts = charts.requests;
const WIDTH = 640;
const HEIGHT = 220;
/** On phones text is scaled up against the drawing; its widest digit is this wide. */
const DIGIT_WIDTH = 14;
const FRAME = { right: 4, top: 18, bottom: 32 };

const HOUR = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', hour: 'numeric' });
const DAY = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });

export function RequestsChart({ requests, isAll }: { requests: readonly PaymentRequest[]; isAll: boolean }) {
  const { span, buckets, drawn } = bucketRequests(requests);
  const groups = countGroups(drawn);
  const present = GROUPS.filter((group) => groups[group] > 0);
  const parts = present.map((group) => `${charts.groups[group]}: ${countWords(groups[group])}`).join(', ');
  const filled = buckets.filter(({ total }) => total > 0);
  return (
    <ChartFrame
      title={`${texts.title}, ${texts[span]}`}
      covers={texts.covers(countWords(drawn.length), isAll && drawn.length === requests.length)}
      heads={[texts.when, ...present.map((group) => charts.groups[group]), texts.all]}
      rows={filled.map((bucket) => [
        labelOf(bucket, span),
        ...present.map((group) => countWords(bucket.counts[group])),
        countWords(bucket.total),
      ])}
    >
      <Bars buckets={buckets} span={span} label={texts.alternative(countWords(drawn.length), parts)} />
      <Legend
        entries={present.map((group) => ({
          group,
          label: `${charts.groups[group]}: ${countWords(groups[group])}`,
        }))}
      />
    </ChartFrame>
  );
}

function labelOf({ from }: Bucket, span: Span): string {
  return (span === 'byHour' ? HOUR : DAY).format(from);
}

function Bars({ buckets, span, label }: { buckets: readonly Bucket[]; span: Span; label: string }) {
  const highest = niceTop(Math.max(...buckets.map(({ total }) => total)));
  const left = 8 + DIGIT_WIDTH * countWords(highest).length;
  const inner = { width: WIDTH - left - FRAME.right, height: HEIGHT - FRAME.top - FRAME.bottom };
  const step = inner.width / buckets.length;
  const y = (count: number) => FRAME.top + inner.height * (1 - count / highest);
  const middle = Math.floor((buckets.length - 1) / 2);
  return (
    <svg className="chart" data-size="wide" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      {[highest / 2, highest].map((count) => (
        <g key={count}>
          <line className="grid" x1={left} x2={WIDTH} y1={y(count)} y2={y(count)} />
          <text x={left - 6} y={y(count) + 4} textAnchor="end">
            {countWords(count)}
          </text>
        </g>
      ))}
      {buckets.map((bucket, index) => (
        <Bar
          key={bucket.from.getTime()}
          bucket={bucket}
          x={left + index * step + step * 0.12}
          width={step * 0.76}
          y={y}
        />
      ))}
      <line className="axis" x1={left} x2={WIDTH} y1={y(0)} y2={y(0)} />
      {buckets.map((bucket, index) =>
        index === 0 || index === middle || index === buckets.length - 1 ? (
          <text
            key={bucket.from.getTime()}
            x={left + (index + (index === 0 ? 0 : index === middle ? 0.5 : 1)) * step}
            y={HEIGHT - 6}
            textAnchor={index === 0 ? 'start' : index === middle ? 'middle' : 'end'}
          >
            {labelOf(bucket, span)}
          </text>
        ) : null,
      )}
    </svg>
  );
}

function Bar({
  bucket,
  x,
  width,
  y,
}: {
  bucket: Bucket;
  x: number;
  width: number;
  y(count: number): number;
}) {
  let below = 0;
  return GROUPS.map((group) => {
    const count = bucket.counts[group];
    if (count === 0) return null;
    const bottom = y(below);
    below += count;
    const top = y(below);
    return <rect key={group} data-group={group} x={x} y={top} width={width} height={bottom - top} />;
  });
}

/** An even number that is easy to read, at or above the highest bar. */
function niceTop(highest: number): number {
  const steps = [2, 4, 10, 20, 40, 100, 200, 400, 1_000];
  return steps.find((step) => step >= highest) ?? highest;
}
