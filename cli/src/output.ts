import type { Io } from './command.ts';
import { columnsIn, harmless, wrap } from './terminal-text.ts';

export { partyName, plain, shortName } from './terminal-text.ts';

/** Where a command's words go: machine output on stdout, and only there; human text is never mixed into it. */
export interface Output {
  /** The result: as one JSON document under `--json`, otherwise as the given text. */
  result(document: object, text: string): void;
  /** One step on the way: a line of the stream under `--json`, otherwise text on stderr. */
  step(document: object, text: string): void;
  /** What happens meanwhile, for people; nothing under `--json`. */
  note(text: string): void;
}

export function createOutput(io: Io, isJson: boolean): Output {
  return {
    result(document, text) {
      io.stdout.write(isJson ? `${JSON.stringify(document)}\n` : `${harmless(text)}\n`);
    },
    step(document, text) {
      if (isJson) io.stdout.write(`${JSON.stringify(document)}\n`);
      else io.stderr.write(`${harmless(text)}\n`);
    },
    note(text) {
      if (!isJson) io.stderr.write(`${harmless(text)}\n`);
    },
  };
}

/** What is printed for the user of a wallet: how, and how wide. */
export interface Paint {
  /** Of the terminal; 80 where it is not known. */
  columns: number;
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  bad(text: string): string;
}

const USUAL_COLUMNS = 80;
const FEWEST_COLUMNS = 20;

export function createPaint(io: Pick<Io, 'isColoured' | 'columns'>): Paint {
  const coloured = (code: number) => (text: string) =>
    io.isColoured ? `\u001B[${code}m${text}\u001B[0m` : text;
  const columns = Math.max(FEWEST_COLUMNS, io.columns ?? USUAL_COLUMNS);
  return { columns, bold: coloured(1), dim: coloured(2), good: coloured(32), bad: coloured(31) };
}

/** Enough of a secret to recognise it, never enough to use it. */
export function masked(secret: string): string {
  const prefix = /^(?:svc_[a-z]{2}_|whsec_)/.exec(secret)?.[0] ?? '';
  return `${prefix}…${secret.length >= 24 ? secret.slice(-4) : ''}`;
}

/** The rest of a line that is not worth breaking any more. */
const NARROWEST_VALUE = 12;

/**
 * Lines of `name  value`, aligned; members without a value are left out. Values that are longer than the terminal go on below
 * themselves, every line behind the same indent: no value can begin a line of its own. Where the names leave no room,
 * values stand below them.
 */
export function listing(
  entries: ReadonlyArray<readonly [string, string | undefined]>,
  indent = '',
  columns = Infinity,
): string {
  const shown = entries.filter((entry): entry is readonly [string, string] => entry[1] !== undefined);
  const width = Math.max(0, ...shown.map(([name]) => columnsIn(name)));
  // A terminal may break a line that fills it.
  const room = columns - indent.length - 1;
  const isStacked = room - width - 2 < Math.max(NARROWEST_VALUE, room / 2);
  return shown
    .flatMap(([name, value]) => (isStacked ? stacked(name, value, room) : beside(name, value, width, room)))
    .map((line) => `${indent}${line}`)
    .join('\n');
}

function beside(name: string, value: string, width: number, room: number): string[] {
  const label = name + ' '.repeat(width - columnsIn(name));
  return wrap(value, room - width - 2).map(
    (line, index) => `${index === 0 ? label : ' '.repeat(width)}  ${line}`,
  );
}

function stacked(name: string, value: string, room: number): string[] {
  const narrow = Math.max(1, room - 2);
  return [...wrap(name, Math.max(1, room)), ...wrap(value, narrow).map((line) => `  ${line}`)];
}
