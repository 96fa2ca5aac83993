import { setTimeout as pause } from 'node:timers/promises';
import { patiently } from '../../stage/database/servers.ts';
import { signalQuietly } from '../../stage/faults/processes.ts';
import { SOURCES, type SourceManners } from './chain.ts';
import type { Random } from './random.ts';
import type { Member, Stage } from './stage.ts';

type FaultKind =
  | 'kill service'
  | 'kill postgres backend'
  | 'kill postgres server'
  | 'cut clients'
  | 'cut database'
  | 'move clock'
  | 'bad receivers'
  | 'bad sources'
  | 'reorganize chain';

const FAULT_WEIGHTS: readonly (readonly [FaultKind, number])[] = [
  ['kill service', 3],
  ['kill postgres backend', 2],
  ['kill postgres server', 1],
  ['cut clients', 3],
  ['cut database', 3],
  ['move clock', 4],
  ['bad receivers', 4],
  ['bad sources', 4],
  ['reorganize chain', 4],
];

/** Seconds of distance from the real time. Beyond a minute, assertions are refused and short lives end. */
const CLOCK_OFFSETS_S = [-50, -20, -3, 0, 0, 3, 20, 50, 400, 700];

/** One source is alone; the others know less than they should at worst. */
const LIAR: readonly (readonly [SourceManners, number])[] = [
  ['lies', 6],
  ['denies', 2],
  ['lags', 1],
  ['garbage', 1],
];
const OTHERS: readonly (readonly [SourceManners, number])[] = [
  ['honest', 6],
  ['lags', 2],
  ['hangs', 1],
];

/** One injected failure after another, at random moments, until the time is over; then all of them are repaired. */
export async function storm(stage: Stage, random: Random, durationMs: number): Promise<void> {
  const endsAt = Date.now() + durationMs;
  stage.history.fault('storm');
  const underWay: Promise<void>[] = [];
  // Each kind once in random order, so that no round omits one; after that by weight.
  const once = FAULT_WEIGHTS.map(([kind]) => ({ kind, place: random.int(1000) }));
  once.sort((a, b) => a.place - b.place);
  while (Date.now() < endsAt) {
    const kind = once.shift()?.kind ?? random.weighted(FAULT_WEIGHTS);
    const member = random.pick(stage.members);
    if (member) underWay.push(strike(stage, random, kind, member, endsAt));
    await pause(Math.min(random.between(800, 3200), Math.max(0, endsAt - Date.now())));
  }
  await Promise.all(underWay);
  await fix(stage);
}

async function strike(
  stage: Stage,
  random: Random,
  kind: FaultKind,
  member: Member,
  endsAt: number,
): Promise<void> {
  const { name } = member.process;
  const waitMs = (longest: number) => Math.min(random.int(longest), Math.max(0, endsAt - Date.now()));
  switch (kind) {
    case 'kill service': {
      if (!member.process.isRunning()) return;
      stage.history.fault(kind, { name });
      await member.process.kill();
      await pause(waitMs(1200));
      return member.process.start();
    }
    case 'kill postgres backend':
      return killBackend(stage, random);
    case 'kill postgres server':
      stage.history.fault(kind);
      signalQuietly(stage.postgres.pid, 'SIGKILL');
      return;
    case 'cut clients':
    case 'cut database': {
      const proxy = kind === 'cut clients' ? member.front : member.back;
      const plan = {
        chance: random.chance(0.5) ? 1 : 0.5,
        withinBytes: random.pick([200, 2000, 20_000]) ?? 2000,
      };
      stage.history.fault(kind, { name, ...plan });
      proxy.cut(plan);
      await pause(waitMs(4000));
      return proxy.cut(undefined);
    }
    case 'move clock': {
      const offsetS = random.pick(CLOCK_OFFSETS_S) ?? 0;
      stage.history.fault(kind, { name, offsetS });
      return member.process.setClock(offsetS * 1000 + random.int(1000));
    }
    case 'bad receivers': {
      const share = random.pick([0.2, 0.5, 0.9]) ?? 0.5;
      stage.history.fault(kind, { share });
      return stage.receivers.setBadness(share);
    }
    case 'bad sources': {
      const manners = Array.from({ length: SOURCES }, (_none, index) =>
        random.weighted(index === 0 ? LIAR : OTHERS),
      );
      stage.history.fault(kind, { manners });
      return stage.chain.setManners(manners);
    }
    case 'reorganize chain':
      stage.history.fault(kind);
      return stage.chain.reorganize();
  }
}

/** Any process of the server but the postmaster: a client's, the writer of the journal, the checkpointer. */
async function killBackend(stage: Stage, random: Random): Promise<void> {
  const rows = await stage.db<{ pid: number; kind: string }[]>`
    select pid, backend_type as kind from pg_stat_activity where pid <> pg_backend_pid() order by pid`.catch(
    () => [],
  );
  const victim = random.pick(rows);
  if (!victim) return;
  stage.history.fault('kill postgres backend', { kind: victim.kind });
  signalQuietly(victim.pid, 'SIGKILL');
}

/** From here on nothing is disturbed, and everything runs. */
async function fix(stage: Stage): Promise<void> {
  stage.receivers.setBadness(0);
  stage.chain.setManners(Array.from({ length: SOURCES }, () => 'honest'));
  for (const { process, front, back } of stage.members) {
    front.cut(undefined);
    back.cut(undefined);
    process.setClock(0);
    if (!process.isRunning()) await process.start();
  }
  // A server whose backend was killed needs a moment to notice, and then starts again.
  await pause(2000);
  await patiently(() => stage.db`select 1`);
  await Promise.all(stage.members.map(({ process }) => process.untilHealthy(60_000)));
  stage.history.fault('calm');
}
