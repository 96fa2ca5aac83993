import cluster from 'node:cluster';
import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client';
import { createHistogram, type Observe } from '../lib/histogram.ts';
import { VERSION } from '../lib/version.ts';
import { createClusterMetrics } from './cluster-metrics.ts';

/** A domain counter. Features declare theirs next to the code that counts. */
export interface CounterSpec<Label extends string = string> {
  name: `svc_${string}_total`;
  help: string;
  labels: readonly Label[];
}

/** How the values of several workers are combined. */
type OfWorkers = 'sum' | 'average' | 'min' | 'max';

/** A value that is read when the metrics are scraped. */
export interface GaugeSpec {
  name: `svc_${string}`;
  help: string;
  /** Default: sum. */
  ofWorkers?: OfWorkers;
}

export interface Metrics {
  /** `waited`: the caller requested a long poll, so its duration is meaningless. */
  answered(method: string, route: string, status: number, seconds: number, waited: boolean): void;
  refused(code: string): void;
  increment<Label extends string>(spec: CounterSpec<Label>, labels: Record<Label, string>, by?: number): void;
  gauge(spec: GaugeSpec, read: () => number): void;
  /** One value for each value of a label. */
  gauges(
    spec: GaugeSpec & { label: string },
    read: () => Readonly<Record<string, number>> | Promise<Readonly<Record<string, number>>>,
  ): void;
  render(): Promise<{ contentType: string; text: string }>;
}

/** Every sample wakes the process, so not every 10 ms, as is usual. The reported lag includes it. */
const LOOP_SAMPLE_MS = 50;

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_SAMPLE_MS });
  correctDefaults(registry);
  const duration = createHistogram({
    name: 'svc_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its response.',
    labels: ['method', 'route', 'status', 'waited'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
  });
  registry.registerMetric(duration.metric as unknown as Metric);
  const durations = new Map<string, Observe>();
  const refusals = new Counter({
    name: 'svc_refused_total',
    help: 'Refused calls by error code.',
    labelNames: ['code'],
    registers: [registry],
  });
  for (const code of ALERTED_CODES) refusals.inc({ code }, 0);
  const counters = new Map<string, Counter>();
  const counterOf = ({ name, help, labels }: CounterSpec): Counter => {
    const known = counters.get(name);
    if (known) return known;
    const counter = new Counter({ name, help, labelNames: [...labels], registers: [registry] });
    counters.set(name, counter);
    return counter;
  };
  const read = cluster.isWorker ? createClusterMetrics(registry) : () => registry.metrics();
  return {
    answered(method, route, status, seconds, waited) {
      const name = waited ? `${method} ${route} ${status} waited` : `${method} ${route} ${status}`;
      let observe = durations.get(name);
      if (!observe) {
        observe = duration.series({
          method,
          route,
          status: String(status),
          waited: waited ? 'yes' : 'no',
        });
        durations.set(name, observe);
      }
      observe(seconds);
    },
    refused: (code) => refusals.inc({ code }),
    increment: (spec, labels, by = 1) => counterOf(spec).inc(labels, by),
    gauge({ name, help, ofWorkers = 'sum' }, read) {
      new Gauge({
        name,
        help,
        aggregator: ofWorkers,
        registers: [registry],
        collect() {
          this.set(read());
        },
      });
    },
    gauges({ name, help, label, ofWorkers = 'sum' }, read) {
      new Gauge({
        name,
        help,
        labelNames: [label],
        aggregator: ofWorkers,
        registers: [registry],
        async collect() {
          const values = await read();
          this.reset();
          for (const [of, value] of Object.entries(values)) this.set({ [label]: of }, value);
        },
      });
    },
    render: async () => ({ contentType: registry.contentType, text: await read() }),
  };
}

/** Initialized to zero: of a series that begins with its first event, Prometheus never sees that event. */
const ALERTED_CODES = ['internal_error', 'unavailable', 'rate_limited'] as const;

/** These end in `_total` and are no counters. */
const MISNAMED = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`);

/** Of several workers the slowest counts, and the service is as old as the oldest one. */
const OF_WORKERS: readonly (readonly [string, OfWorkers])[] = [
  ['nodejs_eventloop_lag_p99_seconds', 'max'],
  ['nodejs_eventloop_lag_max_seconds', 'max'],
  ['process_start_time_seconds', 'min'],
];

function correctDefaults(registry: Registry): void {
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  for (const [name, ofWorkers] of OF_WORKERS) {
    const metric = registry.getSingleMetric(name) as { aggregator?: OfWorkers } | undefined;
    if (metric) metric.aggregator = ofWorkers;
  }
  new Gauge({
    name: 'svc_build_info',
    help: 'Always 1; the version is in the label.',
    labelNames: ['version'],
    aggregator: 'max',
    registers: [registry],
  }).set({ version: VERSION }, 1);
}
