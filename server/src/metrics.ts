import cluster from 'node:cluster';
import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client';
import { createClusterMetrics } from './cluster-metrics.ts';
import { createHistogram, type Observe } from './lib/histogram.ts';

/** A domain counter. Features declare theirs beside the code that counts. */
export interface CounterSpec<Label extends string = string> {
  name: `svc_${string}_total`;
  help: string;
  labels: readonly Label[];
}

export interface Metrics {
  answered(method: string, route: string, status: number, seconds: number): void;
  refused(code: string): void;
  increment<Label extends string>(spec: CounterSpec<Label>, labels: Record<Label, string>, by?: number): void;
  /** A value that is read when the metrics are. */
  gauge(name: `svc_${string}`, help: string, read: () => number, ofWorkers?: 'sum' | 'average'): void;
  render(): Promise<{ contentType: string; text: string }>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = createHistogram({
    name: 'svc_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer.',
    labels: ['method', 'route', 'status'],
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
  const counters = new Map<string, Counter>();
  const read = cluster.isWorker ? createClusterMetrics(registry) : () => registry.metrics();
  return {
    answered(method, route, status, seconds) {
      const name = `${method} ${route} ${status}`;
      let observe = durations.get(name);
      if (!observe) {
        observe = duration.series({ method, route, status: String(status) });
        durations.set(name, observe);
      }
      observe(seconds);
    },
    refused: (code) => refusals.inc({ code }),
    increment(spec, labels, by = 1) {
      let counter = counters.get(spec.name);
      if (!counter) {
        counter = new Counter({
          name: spec.name,
          help: spec.help,
          labelNames: [...spec.labels],
          registers: [registry],
        });
        counters.set(spec.name, counter);
      }
      counter.inc(labels, by);
    },
    gauge(name, help, read, ofWorkers = 'sum') {
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
    render: async () => ({ contentType: registry.contentType, text: await read() }),
  };
}
