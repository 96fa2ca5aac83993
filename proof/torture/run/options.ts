export interface Options {
  minutes: number;
  seed: string;
  /** Bounds the rounds besides the time; 0 for no bound. */
  rounds: number;
  /** Length of the disturbed and of the quiet part of a round, in seconds. */
  storm: number;
  calm: number;
  clients: number;
  tenants: number;
  /** Hash partitions of the large tables; 0 for none. */
  partitions: number;
  suite: 'all' | 'races';
  publish: boolean;
  /** Keeps the folder with log, evidence and database. */
  keep: boolean;
  /** A kept folder to check again instead of a run. */
  check: string | undefined;
  json: string | undefined;
  help: boolean;
}

export const HELP = `npm run torture -- [options]

  --minutes <n>     how long clients and faults go on (default 5)
  --seed <text>     repeats the choices of an earlier run (default: a new one, printed first)
  --rounds <n>      at most so many rounds of storm and calm (default: as many as fit)
  --storm <s>       disturbed seconds of a round (default 20)
  --calm <s>        quiet seconds of a round (default 10)
  --clients <n>     clients at once (default 16)
  --tenants <n>     merchants (default 3)
  --partitions <n>  on a database whose large tables have so many partitions (default: none)
  --suite <name>    all, or races: the long race, cap and webhook runs alone [name of a file]
  --publish         writes the report into docs/
  --json <file>     writes the report as JSON
  --keep            keeps the folder with the log, the evidence and the database
  --check <folder>  checks the evidence of a kept folder again
`;

const DEFAULTS: Options = {
  minutes: 5,
  seed: '',
  rounds: 0,
  storm: 20,
  calm: 10,
  clients: 16,
  tenants: 3,
  partitions: 0,
  suite: 'all',
  publish: false,
  keep: false,
  check: undefined,
  json: undefined,
  help: false,
};

/** Throws with a sentence for the person who typed it. */
export function parseOptions(args: readonly string[]): { options: Options; rest: string[] } {
  const options: Record<string, unknown> = { ...DEFAULTS };
  const rest: string[] = [];
  const left = args.flatMap((arg) =>
    /^--\w+=/.test(arg) ? [arg.slice(0, arg.indexOf('=')), arg.slice(arg.indexOf('=') + 1)] : [arg],
  );
  for (let arg = left.shift(); arg !== undefined; arg = left.shift()) {
    const name = arg.slice(2);
    if (!arg.startsWith('--')) {
      rest.push(arg);
    } else if (!(name in DEFAULTS)) {
      throw new Error(`Unknown option ${arg}.\n\n${HELP}`);
    } else if (typeof options[name] === 'boolean') {
      options[name] = true;
    } else {
      options[name] = readValue(arg, left.shift(), typeof options[name]);
    }
  }
  if (options['suite'] !== 'all' && options['suite'] !== 'races') throw new Error('--suite is all or races.');
  return { options: options as unknown as Options, rest };
}

function readValue(arg: string, value: string | undefined, type: string): unknown {
  if (value === undefined) throw new Error(`${arg} needs a value.`);
  if (type !== 'number') return value;
  const number = Number(value);
  if (!Number.isFinite(number) || number <= 0) throw new Error(`${arg} needs a number above nothing.`);
  return number;
}
