import { parseArgs } from 'node:util';

export const ROWS = [
  'create',
  'read',
  'status',
  'webhooks',
  'waiting',
  'stored',
  'workers',
  'latency',
  'resources',
  'profile',
  'growth',
  'sizes',
  'log',
] as const;
export type RowName = (typeof ROWS)[number];

/** Measured for papers of their own, and only when they are asked for. */
const BY_NAME: ReadonlySet<RowName> = new Set(['growth', 'sizes', 'log']);

/** Requests, on a busy machine: ten million may take their time. */
const STORED_A_MINUTE = 100_000;

export interface Settings {
  rows: readonly RowName[];
  isQuick: boolean;
  /** Repetitions of each comparison, in turn. */
  rounds: number;
  /** Of one measured stretch, after its warm-up. */
  legMs: number;
  warmUpMs: number;
  /** Requests stored in the full database. */
  stored: number;
  /** Work of one stretch where it is given by number: status reports and webhook deliveries. */
  reports: number;
  deliveries: number;
  longPolls: number;
  outDir: string;
  isPublished: boolean;
  /** A former report: its pages are written again, nothing is measured. */
  rendered: string | undefined;
  /** The whole run is given up after this. */
  patienceMs: number;
}

export const HELP = `npm run bench -- [options]

  --quick            about a minute: shows that everything works, the figures mean little
  --only <row,…>     ${ROWS.join(', ')}
  --rounds <n>       repetitions of each comparison (5)
  --seconds <s>      length of one measured stretch (2)
  --stored <n>       requests stored in the full database (1000000)
  --long-polls <n>   long polls opened at once by the rows "waiting" and "growth" (10000)
  --out <folder>     where the report goes (bench/out)
  --publish          writes docs/BENCH.md and docs/bench/ as well
  --render <file>    measures nothing, writes the pages again from a bench.json
`;

export function readArguments(args: readonly string[], defaultOut: string): Settings | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean' },
      only: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      stored: { type: 'string' },
      'long-polls': { type: 'string' },
      out: { type: 'string' },
      publish: { type: 'boolean' },
      render: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return 'help';
  const isQuick = values.quick ?? false;
  const seconds = positive('--seconds', values.seconds) ?? (isQuick ? 0.8 : 2);
  const stored = Math.ceil(positive('--stored', values.stored) ?? (isQuick ? 20_000 : 1_000_000));
  return {
    rows:
      values.only === undefined ? ROWS.filter((row) => !BY_NAME.has(row)) : values.only.split(',').map(rowOf),
    isQuick,
    rounds: Math.ceil(positive('--rounds', values.rounds) ?? (isQuick ? 1 : 5)),
    legMs: seconds * 1000,
    warmUpMs: 500,
    stored,
    reports: isQuick ? 1_200 : 6_000,
    deliveries: isQuick ? 1_000 : 8_000,
    longPolls: Math.ceil(positive('--long-polls', values['long-polls']) ?? (isQuick ? 200 : 10_000)),
    outDir: values.out ?? defaultOut,
    isPublished: values.publish ?? false,
    rendered: values.render,
    patienceMs: (isQuick ? 10 : 45 + stored / STORED_A_MINUTE) * 60_000,
  };
}

function rowOf(name: string): RowName {
  const row = ROWS.find((known) => known === name);
  if (row === undefined) throw new RangeError(`--only ${name}: one of ${ROWS.join(', ')}`);
  return row;
}

function positive(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new RangeError(`${name} ${text}: a number above zero`);
  return value;
}
