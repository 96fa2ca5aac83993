import type { Feature } from '../../feature.ts';
import { logDocuments } from './documents.ts';
import { integrateJob } from './integrate-job.ts';
import { witnessJob } from './witness-job.ts';

export const transparencyLogFeature: Feature = {
  name: 'transparency-log',
  documents: logDocuments(),
  jobs: [integrateJob, witnessJob],
};
