import { setTimeout as sleep } from 'node:timers/promises';
import { watching } from '../../stage/faults/processes.ts';
import { type Helper, startHelper } from '../../stage/load/helper.ts';
import { get } from '../../stage/load/requests.ts';
import type { WaitingJob, WaitingResult } from '../../stage/load/waiting.ts';
import { type Bench, type Ground, serviceOn } from '../bench.ts';
import { headsOf } from '../ground/stored.ts';
import { noteCost } from './costs.ts';

/** As long as a poll may wait: what is measured while they do must fit in. */
const WAIT_S = 30;
const REST_MS = 20_000;
const SPARE_MS = 1_000;

type Waiting = Helper<WaitingJob, WaitingResult>;

export function startWaiting(): Waiting {
  return startHelper(new URL('../../stage/load/waiting.js', import.meta.url));
}

/** Long polls whose cursors are up to date, each on a separate socket. */
export async function waitingPolls(bench: Bench, ground: Ground): Promise<string[]> {
  const heads = await headsOf(ground.database.sql);
  return Array.from({ length: bench.settings.longPolls }, (_, index) => {
    const caller = ground.callers[index % ground.callers.length];
    const since = heads.get(caller?.connectionId ?? '') ?? 0;
    return get(`/v1/payment-requests/events?since=${since}&wait=${WAIT_S}`, caller?.connectionToken ?? '');
  });
}

/** What it costs to keep agents waiting while nothing happens. */
export async function measureWaiting(bench: Bench, ground: Ground): Promise<void> {
  const service = await serviceOn(ground);
  const waiting = startWaiting();
  const requests = await waitingPolls(bench, ground);
  // The first time everything is compiled and memory grows; that is no part of waiting.
  await waiting.ask({ kind: 'open', port: service.port, requests });
  await waiting.ask({ kind: 'close' });
  await sleep(SPARE_MS);
  const deadlineMs = performance.now() + WAIT_S * 1000 - SPARE_MS;
  await waiting.ask({ kind: 'open', port: service.port, requests });
  await sleep(2 * SPARE_MS);
  const restMs = Math.min(bench.settings.isQuick ? 2_000 : REST_MS, deadlineMs - performance.now());
  if (restMs < 1_000) throw new Error('the polls were not open in time');
  const { cpuMs } = await watching([service.pid, bench.cluster.pid], () => sleep(restMs));
  const held = await waiting.ask({ kind: 'close' });
  if (held.answeredAtMs.length > 0) throw new Error(`${held.answeredAtMs.length} polls did not wait`);
  await waiting.end();
  await service.stop();
  const what = `${requests.length.toLocaleString('en')} polls of ${Math.min(requests.length, ground.callers.length)} connections that wait for ${Math.round(restMs / 1000)} s`;
  for (const [index, [part, below]] of (
    [
      ['service', 3],
      ['PostgreSQL', null],
    ] as const
  ).entries()) {
    const usedMs = cpuMs[index];
    if (usedMs === undefined) continue;
    noteCost(bench, {
      what: `${what}, ${part}`,
      value: (usedMs / restMs) * 100,
      unit: '% of one core',
      digits: 1,
      target: below === null ? null : { below },
    });
  }
}
