import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '../../stage/ending.ts';
import { cpuMsOf, memoryBytesOf } from '../../stage/faults/processes.ts';
import { say } from '../../stage/report.ts';
import { type Bench, callLeg, creates, type Ground, serviceOn, startService } from '../bench.ts';
import { summarize } from '../statistics.ts';

/** Start-up time and memory. */
export async function measureResources(bench: Bench, ground: Ground): Promise<void> {
  const { report, settings } = bench;
  const note = (what: string, value: string) => {
    report.resources.push({ what, value });
    say(`  ${what}: ${value}`);
  };
  const dataDir = await temporaryFolder('bench-own');
  const first = await startService({}, dataDir);
  note(
    'start with a new embedded PostgreSQL, until /health is 200',
    `${(first.startMs / 1000).toFixed(1)} s`,
  );
  await first.stop();
  const again: number[] = [];
  for (let round = 0; round < settings.rounds; round += 1) {
    const service = await startService({}, dataDir);
    again.push(service.startMs / 1000);
    await service.stop();
  }
  note('start again on the same data folder', spread(again, 's'));
  const onServer: number[] = [];
  for (let round = 1; round < settings.rounds; round += 1) {
    const service = await serviceOn(ground);
    onServer.push(service.startMs / 1000);
    await service.stop();
  }
  const service = await serviceOn(ground);
  note('start with DATABASE_URL, schema up to date', spread([...onServer, service.startMs / 1000], 's'));
  await sleep(2_000);
  const restCpuMs = cpuMsOf(service.pid);
  const restMs = settings.isQuick ? 2_000 : 10_000;
  await sleep(restMs);
  note('memory of the service at rest', mib(memoryBytesOf(service.pid)));
  const usedMs = cpuMsOf(service.pid);
  if (restCpuMs !== undefined && usedMs !== undefined)
    note('processor at rest', `${(((usedMs - restCpuMs) / restMs) * 100).toFixed(1)} % of one core`);
  const leg = await callLeg(bench, service, creates(ground.callers), {
    legMs: settings.legMs * 3,
  });
  note(
    `memory of the service at its highest, ${Math.round(leg.ratePerS)} creates a second`,
    mib(leg.peakMemoryBytes),
  );
  await sleep(settings.isQuick ? 1_000 : 10_000);
  note('memory of the service after the load', mib(memoryBytesOf(service.pid)));
  await service.stop();
}

function mib(bytes: number | undefined): string {
  return bytes === undefined ? 'not known on this system' : `${(bytes / 2 ** 20).toFixed(0)} MiB`;
}

function spread(values: readonly number[], unit: string): string {
  const { median, min, max } = summarize(values);
  return `${median.toFixed(2)} ${unit} (${min.toFixed(2)}–${max.toFixed(2)})`;
}
