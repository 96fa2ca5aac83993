import type { Feature } from '../feature.ts';
import { settlementJob } from './job.ts';
import type { Observer } from './observer-job.ts';

export const settlementFeature = ({ observer }: { observer: Observer }): Feature => ({
  name: 'settlement',
  jobs: [settlementJob(observer)],
});
