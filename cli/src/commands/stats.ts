import { defineCommand, EXIT, LocalError } from '../command.ts';
import { createOutput, listing } from '../output.ts';
import { readSettings, SERVICE_OPTIONS } from '../settings.ts';

/** One line of Prometheus text. */
interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const TIMEOUT_MS = 10_000;

export const commands = [
  defineCommand({
    name: 'stats',
    summary: 'how the running service is doing: calls, queues, webhooks, pool, jobs',
    options: SERVICE_OPTIONS,
    details: [
      'Reads /ready and /metrics of the service; SVC_METRICS_TOKEN is sent when it is set. Counts are since the start of the',
      'service. Ends with 4 when the service is not ready.',
    ].join('\n'),
    async run(io, { values, isJson }) {
      const { baseUrl } = readSettings(io, values);
      const token = io.env['SVC_METRICS_TOKEN'];
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const ask = async (path: string) => {
        const signal = AbortSignal.any([io.signal, AbortSignal.timeout(TIMEOUT_MS)]);
        const response = await fetch(new URL(path, baseUrl), { headers, signal }).catch((error: unknown) => {
          io.signal.throwIfAborted();
          throw new LocalError('unreachable', `${baseUrl} does not respond: ${(error as Error).message}`);
        });
        return { status: response.status, text: await response.text() };
      };
      const [ready, metrics] = [await ask('/ready'), await ask('/metrics')];
      if (metrics.status === 401)
        throw new LocalError(
          'unauthenticated',
          'The metrics need a token: set SVC_METRICS_TOKEN as the service has it.',
        );
      const report = { ready: ready.status === 200, ...summarize(parse(metrics.text)) };
      createOutput(io, isJson).result(report, told(report));
      return report.ready ? EXIT.ok : EXIT.unfavourable;
    },
  }),
];

function parse(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    const match = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (!match) return [];
    const labels = [...(match[2] ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
    return [
      {
        name: match[1] ?? '',
        labels: Object.fromEntries(labels.map(([, name, value]) => [name ?? '', value ?? ''])),
        value: Number(match[3]),
      },
    ];
  });
}

const DURATION = 'svc_http_request_duration_seconds';

function summarize(samples: readonly Sample[]) {
  const named = (name: string) => samples.filter((sample) => sample.name === name);
  const by = (name: string, label: string) =>
    Object.fromEntries(named(name).map(({ labels, value }) => [labels[label] ?? '', value]));
  const one = (name: string) => named(name)[0]?.value ?? null;
  const calls = named(`${DURATION}_count`);
  const sum = (list: readonly Sample[]) => list.reduce((total, { value }) => total + value, 0);
  const buckets = named(`${DURATION}_bucket`).filter(({ labels }) => labels['waited'] === 'no');
  return {
    version: named('svc_build_info')[0]?.labels['version'] ?? null,
    calls: sum(calls),
    failed: sum(calls.filter(({ labels }) => labels['status']?.startsWith('5'))),
    p50_s: quantile(buckets, 0.5),
    p99_s: quantile(buckets, 0.99),
    waiting_calls: one('svc_waiting_calls') ?? 0,
    queues: by('svc_queue_size', 'queue'),
    oldest_s: by('svc_queue_oldest_seconds', 'queue'),
    webhooks: by('svc_webhook_deliveries', 'state'),
    pool: { in_use: by('svc_database_pool_in_use', 'pool'), size: by('svc_database_pool_size', 'pool') },
    database_up: one('svc_database_up') === 1,
    stalled_jobs: named('svc_job_stalled').flatMap(({ labels, value }) =>
      value === 1 ? [labels['job_name'] ?? ''] : [],
    ),
    rate_limit_hits: sum(named('svc_rate_limit_hits_total')),
    clock_skew_s: one('svc_clock_skew_seconds'),
    event_loop_p99_s: one('nodejs_eventloop_lag_p99_seconds'),
  };
}

type Report = ReturnType<typeof summarize> & { ready: boolean };

/** The upper bound of the bucket that holds it, over all routes. */
function quantile(buckets: readonly Sample[], part: number): number | null {
  const counts = new Map<number, number>();
  for (const { labels, value } of buckets) {
    const bound = labels['le'] === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels['le']);
    counts.set(bound, (counts.get(bound) ?? 0) + value);
  }
  const bounds = [...counts].sort(([a], [b]) => a - b);
  const all = bounds.at(-1)?.[1] ?? 0;
  const found = bounds.find(([, count]) => all > 0 && count >= all * part)?.[0];
  return found === undefined || !Number.isFinite(found) ? null : found;
}

function told(report: Report): string {
  const seconds = (value: number | null) => (value === null ? '–' : `${value} s`);
  const rounded = (value: number | undefined) => `${Math.round(value ?? 0)} s`;
  const rows: [string, string][] = [
    ['ready', report.ready ? 'yes' : 'NO'],
    ['version', report.version ?? 'unknown'],
    ['database', report.database_up ? 'up' : 'DOWN'],
    ['calls', `${report.calls}, ${report.failed} failed on our side`],
    ['latency', `half within ${seconds(report.p50_s)}, 99 % within ${seconds(report.p99_s)}`],
    ['waiting', `${report.waiting_calls} polls and streams`],
    ...Object.entries(report.queues).map(([queue, size]): [string, string] => [
      queue.replaceAll('_', ' '),
      size === 0 ? '0' : `${size}, the oldest for ${rounded(report.oldest_s[queue])}`,
    ]),
    [
      'deliveries',
      Object.entries(report.webhooks)
        .map(([state, count]) => `${count} ${state}`)
        .join(', '),
    ],
    [
      'pool',
      Object.entries(report.pool.size)
        .map(([pool, size]) => `${report.pool.in_use[pool] ?? 0} of ${size} (${pool})`)
        .join(', '),
    ],
    ['stalled jobs', report.stalled_jobs.join(', ') || 'none'],
    ['rate limits', `${report.rate_limit_hits} calls refused`],
    ['clock', `${report.clock_skew_s ?? 0} s from the database's`],
    ['event loop', `99 % within ${seconds(report.event_loop_p99_s)}`],
  ];
  return listing(rows, '');
}
