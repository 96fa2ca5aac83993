import type { Feature } from '../feature.ts';
import type { LogSigner } from './checkpoint.ts';
import { logDocuments } from './documents.ts';
import { integrateJob } from './integrate-job.ts';
import { witnessJob } from './witness-job.ts';

export const transparencyLogFeature = ({ log }: { log: LogSigner }): Feature => ({
  name: 'transparency-log',
  documents: logDocuments(log),
  jobs: [integrateJob, witnessJob(log)],
});
