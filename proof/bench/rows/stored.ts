import { say } from '../../stage/report.ts';
import {
  type Bench,
  creates,
  FEW,
  type Ground,
  polls,
  prepareGround,
  reads,
  serviceOn,
  warmUp,
} from '../bench.ts';
import { emptyHotTables, settle, storeDecided, storeManyDecided } from '../ground/stored.ts';
import { ratios, summarize } from '../statistics.ts';
import { calling, compare } from './compare.ts';

const LOTS = 50_000;
const KINDS = ['create', 'read', 'poll'] as const;
type Kind = (typeof KINDS)[number];
type Rates = Record<`${'few' | 'many'} ${Kind}`, number[]>;

/** The same calls to a nearly empty database and to a full one, in turn. The full one grows on the way. */
export async function measureStored(bench: Bench): Promise<void> {
  const { stored } = bench.settings;
  const few = await prepareGround(bench, 'few');
  const many = await prepareGround(bench, 'many', 0);
  const taken: { stage: number; rates: Rates }[] = [];
  let filled = 0;
  for (const stage of [FEW, 10_000, 100_000, 1_000_000].filter((each) => each < stored).concat(stored)) {
    const startedMs = performance.now();
    const store = stage - filled > LOTS ? storeManyDecided : storeDecided;
    await store(many.database.sql, many.callers, filled, stage);
    await settle(many.database.sql);
    filled = stage;
    say(`  ${stage} requests stored (${((performance.now() - startedMs) / 1000).toFixed(0)} s)`);
    taken.push({ stage, rates: await compareGrounds(bench, few, many, stage) });
  }
  const lines = (valuesOf: (rates: Rates, kind: Kind) => number[]) =>
    KINDS.map((name) => ({
      name,
      points: taken.map(({ stage, rates }) => ({ x: stage, y: summarize(valuesOf(rates, name)).median })),
    }));
  const axis = { x: 'requests stored', isLogarithmic: true };
  bench.report.curves.push(
    {
      ...axis,
      file: 'by-stored.svg',
      title: 'Calls a second by requests stored',
      y: 'calls a second',
      lines: lines((rates, kind) => rates[`many ${kind}`]),
    },
    {
      ...axis,
      file: 'share-by-stored.svg',
      title: `Rate by requests stored, as a multiple of the rate with ${FEW.toLocaleString('en')}`,
      y: 'multiple',
      lines: lines((rates, kind) => ratios(rates[`many ${kind}`], rates[`few ${kind}`])),
    },
  );
}

/** Every round begins with the same few rows: what was created meanwhile would make them many. */
async function compareGrounds(bench: Bench, few: Ground, many: Ground, stored: number): Promise<Rates> {
  const isLast = stored === bench.settings.stored;
  const services = { few: await serviceOn(few), many: await serviceOn(many) };
  const sourcesOf = (ground: Ground, size: number) => ({
    create: async () => {
      if (ground === few) {
        await emptyHotTables(few.database.sql);
        await storeDecided(few.database.sql, few.callers, 0, FEW);
        await settle(few.database.sql);
      }
      return creates(ground.callers);
    },
    read: () => reads(ground, size),
    poll: () => polls(ground),
  });
  const sources = { few: sourcesOf(few, FEW), many: sourcesOf(many, stored) };
  const side = (which: 'few' | 'many', kind: Kind) => calling(bench, services[which], sources[which][kind]);
  try {
    for (const which of ['few', 'many'] as const)
      for (const kind of KINDS) await warmUp(bench, services[which], await sources[which][kind]());
    const sides = {
      'few create': side('few', 'create'),
      'many create': side('many', 'create'),
      'few read': side('few', 'read'),
      'many read': side('many', 'read'),
      'few poll': side('few', 'poll'),
      'many poll': side('many', 'poll'),
    };
    const comparisons = KINDS.map((kind) => ({
      what: `${kind} with ${stored.toLocaleString('en')} requests stored`,
      limit: `the same with ${FEW.toLocaleString('en')} stored`,
      reach: 0.9,
      ours: `many ${kind}` as const,
      against: `few ${kind}` as const,
    }));
    const rounds = isLast ? bench.settings.rounds : 1;
    return await compare(bench, 'stored', sides, isLast ? comparisons : [], rounds);
  } finally {
    await services.few.stop();
    await services.many.stop();
  }
}
