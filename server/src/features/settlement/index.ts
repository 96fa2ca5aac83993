import type { Feature } from '../../feature.ts';
import { settlementJob } from './job.ts';

export const settlementFeature: Feature = { name: 'settlement', jobs: [settlementJob] };
