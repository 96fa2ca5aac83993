// What the chain shows about payments: sources, how their responses are judged, and the queue of observations. Health
// imports `job` and `observer-job`; evidence imports `judge`. A silent source, or one that sends nonsense, never makes
// a payment final or failed.

import type { Feature } from '../feature.ts';
import { settlementJob } from './job.ts';
import type { Observer } from './observer-job.ts';

export const settlementFeature = ({ observer }: { observer: Observer }): Feature => ({
  name: 'settlement',
  jobs: [settlementJob(observer)],
});
