import type { ObservedQuery } from '../db/open.ts';
import type { Outbound } from '../lib/outbound/index.ts';
import { createOtlpExporter, createTracer, faultOf, KIND, type Tracer } from '../lib/tracing.ts';
import { VERSION } from '../lib/version.ts';
import type { CounterSpec, Metrics } from './metrics.ts';

/** The service's own spans. Loaded only where a collector is configured. */
export interface Tracing extends Tracer {
  /** For every line of the log. */
  line(): object;
  /** Watches a statement of the driver. */
  statement(query: ObservedQuery): void;
  job<C>(name: string, run: (context: C) => Promise<boolean>): (context: C) => Promise<boolean>;
  outbound(ways: Outbound): Outbound;
}

const SPANS: CounterSpec<'outcome'> = {
  name: 'svc_trace_spans_total',
  help: 'Spans that were sent to the collector, or dropped because it is away or slow.',
  labels: ['outcome'],
};

const MAX_TEXT = 500;

export function openTracer(url: string, metrics: Metrics): Tracing {
  const onOutcome = (outcome: string, count: number) => metrics.increment(SPANS, { outcome }, count);
  for (const outcome of ['sent', 'dropped']) onOutcome(outcome, 0);
  const tracer = createTracer(createOtlpExporter({ url, version: VERSION, onOutcome }));
  return {
    ...tracer,
    line() {
      const span = tracer.current();
      return span ? { trace_id: span.trace_id, span_id: span.span_id } : {};
    },
    statement(query) {
      const end = tracer.begin('statement', KIND.client);
      if (!end) return;
      const { resolve, reject } = query;
      const finish = (fault?: string) => {
        // A query that was never sent itself, such as a part of another statement, is no span.
        if (query.string === undefined) return;
        const text = query.string.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_TEXT);
        end({ 'db.system.name': 'postgresql', 'db.query.text': text }, fault);
      };
      query.resolve = (result) => {
        finish();
        resolve(result);
      };
      query.reject = (error) => {
        finish(faultOf(error));
        reject(error);
      };
    },
    job: (name, run) => (context) =>
      tracer.run({ name: `job ${name}`, kind: KIND.internal, mayBeIdle: true }, () => run(context)),
    outbound: (ways) => ({
      ...ways,
      send(request, signal) {
        const { host } = new URL(request.url);
        const task = { name: `${request.method} ${host}`, kind: KIND.client };
        return tracer.run({ ...task, attributes: { 'server.address': host } }, async (attributes) => {
          const { traceparent = '' } = tracer.current() ?? {};
          const result = await ways.send(
            { ...request, headers: { ...request.headers, traceparent } },
            signal,
          );
          if (result.ok) attributes['http.response.status_code'] = result.status;
          else attributes['error.type'] = result.errorClass;
          return result;
        });
      },
    }),
  };
}
