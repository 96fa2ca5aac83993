import { Histogram, type Metric, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createHistogram } from './histogram.ts';

const SPEC = { name: 'svc_x_seconds', help: 'How long.', buckets: [0.001, 0.25, 1] };
const OBSERVED = [
  { method: 'GET', route: '/v1/x/{id}', values: [0, 0.001, 0.0011, 0.25, 1, 1.5, 30] },
  { method: 'POST', route: 'with "quotes"', values: [0.5] },
];

it('is published exactly as the library would publish it', async () => {
  const theirs = new Registry();
  const library = new Histogram({ ...SPEC, labelNames: ['method', 'route'], registers: [theirs] });
  const ours = new Registry();
  const own = createHistogram({ ...SPEC, labels: ['method', 'route'] });
  ours.registerMetric(own.metric as unknown as Metric);
  for (const { values, ...labels } of OBSERVED) {
    for (const value of values) {
      library.observe(labels, value);
      own.series({ ...labels })(value);
    }
  }
  expect(await ours.metrics()).toBe(await theirs.metrics());
});

it('gives the same labels the same series', async () => {
  const { series, metric } = createHistogram({ ...SPEC, labels: ['method'] });
  series({ method: 'GET' })(2);
  series({ method: 'GET' })(3);
  const { values } = await metric.get();
  expect(values.at(-1)).toEqual({
    metricName: 'svc_x_seconds_count',
    labels: { method: 'GET' },
    value: 2,
  });
});
