import {
  type Bench,
  callLeg,
  creates,
  type Ground,
  polls,
  prepareGround,
  reads,
  serviceOn,
  warmUp,
} from '../bench.ts';
import type { Source } from '../load/jobs.ts';
import type { Curve } from '../report/model.ts';
import type { Service } from '../stage/service.ts';
import { emptyHotTables, settle, storeDecided, storeManyDecided } from '../stage/stored.ts';
import { ratios, summarize, takeTurns } from '../statistics.ts';
import { record } from './compare.ts';

const FEW = 1_000;
const LOTS = 50_000;
const KINDS = ['create', 'read', 'poll'] as const;
type Kind = (typeof KINDS)[number];

interface Side {
  ground: Ground;
  service: Service;
  stored: number;
}

/** The same calls to a nearly empty database and to a full one, in turn. The full one grows on the way. */
export async function measureStored(bench: Bench): Promise<void> {
  const { stored, rounds } = bench.settings;
  const few = await prepareGround(bench, 'few', FEW);
  const many = await prepareGround(bench, 'many', 0);
  const newLines = () => KINDS.map((kind) => ({ name: kind, points: [] as { x: number; y: number }[] }));
  const lines = newLines();
  const shares = newLines();
  let filled = 0;
  for (const stage of stagesUpTo(stored)) {
    const startedMs = performance.now();
    const store = stage - filled > LOTS ? storeManyDecided : storeDecided;
    await store(many.database.sql, many.callers, filled, stage);
    await settle(many.database.sql);
    filled = stage;
    bench.say(`  ${stage} requests stored (${((performance.now() - startedMs) / 1000).toFixed(0)} s)`);
    const isLast = stage === stored;
    const taken = await compareSides(bench, { few, many, stored: stage }, isLast ? rounds : 1);
    KINDS.forEach((kind, index) => {
      lines[index]?.points.push({ x: stage, y: summarize(taken[`many ${kind}`]).median });
      const share = ratios(taken[`many ${kind}`], taken[`few ${kind}`]);
      shares[index]?.points.push({ x: stage, y: summarize(share).median });
      if (!isLast) return;
      record(bench, {
        row: 'stored',
        what: `${kind} with ${stage.toLocaleString('en')} requests stored`,
        limit: `the same with ${FEW.toLocaleString('en')} stored`,
        reach: 0.9,
        ours: taken[`many ${kind}`],
        limits: taken[`few ${kind}`],
      });
    });
  }
  const curve: Curve = {
    file: 'by-stored.svg',
    title: 'Calls a second by requests stored',
    x: 'requests stored',
    y: 'calls a second',
    isLogarithmic: true,
    lines,
  };
  bench.report.curves.push(curve, {
    ...curve,
    file: 'share-by-stored.svg',
    title: `Rate by requests stored, as a multiple of the rate with ${FEW.toLocaleString('en')}`,
    y: 'multiple',
    lines: shares,
  });
}

function stagesUpTo(stored: number): number[] {
  return [1_000, 10_000, 100_000, 1_000_000].filter((stage) => stage < stored).concat(stored);
}

/** Every round begins with the same few rows: what was created meanwhile would make them many. */
async function compareSides(
  bench: Bench,
  grounds: { few: Ground; many: Ground; stored: number },
  rounds: number,
): Promise<Record<`${'few' | 'many'} ${Kind}`, number[]>> {
  const few: Side = { ground: grounds.few, service: await serviceOn(bench, grounds.few), stored: FEW };
  const many: Side = {
    ground: grounds.many,
    service: await serviceOn(bench, grounds.many),
    stored: grounds.stored,
  };
  const rate = async ({ ground, service, stored }: Side, kind: Kind) => {
    const { database, callers } = ground;
    if (stored === FEW && kind === 'create') {
      await emptyHotTables(database.sql);
      await storeDecided(database.sql, callers, 0, FEW);
      await settle(database.sql);
    }
    const source: Record<Kind, () => Source | Promise<Source>> = {
      create: () => creates(callers),
      read: () => reads(ground, stored),
      poll: () => polls(ground),
    };
    return (await callLeg(bench, service.port, service.pid, await source[kind]())).ratePerS;
  };
  try {
    for (const { ground, service, stored } of [few, many]) {
      await warmUp(bench, service, creates(ground.callers));
      await warmUp(bench, service, await reads(ground, stored));
      await warmUp(bench, service, await polls(ground));
    }
    return await takeTurns(rounds, {
      'few create': () => rate(few, 'create'),
      'many create': () => rate(many, 'create'),
      'few read': () => rate(few, 'read'),
      'many read': () => rate(many, 'read'),
      'few poll': () => rate(few, 'poll'),
      'many poll': () => rate(many, 'poll'),
    });
  } finally {
    await few.service.stop();
    await many.service.stop();
  }
}
