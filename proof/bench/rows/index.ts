/*
 * One file for each row of the bench: it prepares a database, alternates with its reference, and adds to the report.
 * Only `main.ts` imports the index. A row that fails is named in the report and does not affect the others.
 */

import { type Bench, type Ground, prepareGround } from '../bench.ts';
import { measureCreate } from './create.ts';
import { measureGrowth } from './growth.ts';
import { measureLatency } from './latency.ts';
import { measureLog } from './log.ts';
import { measureProfile } from './profile.ts';
import { measureRead } from './read.ts';
import { measureResources } from './resources.ts';
import { measureSizes } from './sizes.ts';
import { measureStatus } from './status.ts';
import { measureStored } from './stored.ts';
import { measureWaiting } from './waiting.ts';
import { measureWebhooks } from './webhooks.ts';
import { measureWorkers } from './workers.ts';

/** On a separate database, so that no row is affected by another row's data. */
const onGround = (measure: (bench: Bench, ground: Ground) => Promise<void>) => async (bench: Bench) =>
  measure(bench, await prepareGround(bench, `for_${measure.name.toLowerCase()}`));

export const ROWS = {
  create: onGround(measureCreate),
  read: onGround(measureRead),
  status: onGround(measureStatus),
  webhooks: onGround(measureWebhooks),
  waiting: onGround(measureWaiting),
  stored: measureStored,
  workers: onGround(measureWorkers),
  latency: onGround(measureLatency),
  resources: onGround(measureResources),
  profile: onGround(measureProfile),
  growth: measureGrowth,
  sizes: measureSizes,
  log: measureLog,
};
export type RowName = keyof typeof ROWS;

/** Measured for docs/proof/growth.md, and only when they are requested. */
export const BY_NAME: ReadonlySet<RowName> = new Set(['growth', 'sizes', 'log']);
