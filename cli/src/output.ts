import { NAME_NOT_SHOWN, shownName } from '@payassent/protocol';
import type { Io } from './command.ts';

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

/** What is printed for the customer of a wallet: how, and how wide. */
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

/** The rest of a line that is not worth breaking any more. */
const NARROWEST_VALUE = 12;

/**
 * Lines of `name  value`, aligned; members without a value are left out. Values that are longer than the terminal
 * continue on the next lines, every line with the same indent: no value can begin a line. Where the names leave no
 * room, values are printed below them.
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
    .flatMap(([name, value]) =>
      isStacked ? stacked(name, value, room) : inColumns(name, value, width, room),
    )
    .map((line) => `${indent}${line}`)
    .join('\n');
}

function inColumns(name: string, value: string, width: number, room: number): string[] {
  const label = name + ' '.repeat(width - columnsIn(name));
  return wrap(value, room - width - 2).map(
    (line, index) => `${index === 0 ? label : ' '.repeat(width)}  ${line}`,
  );
}

function stacked(name: string, value: string, room: number): string[] {
  const narrow = Math.max(1, room - 2);
  return [...wrap(name, Math.max(1, room)), ...wrap(value, narrow).map((line) => `  ${line}`)];
}

/** Characters that a terminal would obey or hide, and characters that only appear blank. */
const HARMFUL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const BLANKS = /[\s\p{Zs}\u2800]+/gu;
/** What this program itself writes to colour a text. */
const OWN_STYLE = /\u001B\[(?:0|1|2|31|32)m/;
const STYLE_OR_CHARACTER = new RegExp(`${OWN_STYLE.source}|.`, 'gsu');
const STYLE_OR_HARMFUL = new RegExp(`${OWN_STYLE.source}|(?!\\n)${HARMFUL.source}`, 'gu');
/** Characters before these scripts are as wide as an ASCII letter; others may take two columns. */
const FIRST_WIDE = 0x1100;
const LONGEST_NAME = 60;

/**
 * Text that others wrote, on one line: nothing in it can move the cursor, turn the direction of writing, hide
 * characters or push what follows out of sight. Escape and control characters are written out.
 */
export function plain(text: string): string {
  return text.replace(BLANKS, ' ').replace(HARMFUL, visible).trim();
}

/** The name of a merchant, agent or payee, or that it may not be shown. */
export function partyName(name: string): string {
  const shown = shownName(name);
  return shown === undefined ? NAME_NOT_SHOWN : plain(shown);
}

/** A name or an id that others chose, no longer than a line has room for. */
export function shortName(text: string): string {
  const whole = plain(text);
  const [first = '', ...more] = wrap(whole, LONGEST_NAME);
  return more.length === 0 ? whole : `${first.slice(0, -1)}…`;
}

/**
 * The last guard of everything that is printed for people: lines and colours pass, other control characters are written
 * out.
 */
export function harmless(text: string): string {
  return text.replace(STYLE_OR_HARMFUL, (match) => (match.length > 2 ? match : visible(match)));
}

/** Lines of at most `width` columns, broken at blanks where there are any. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  let columns = 0;
  let lastBlank = -1;
  for (const [unit] of text.matchAll(STYLE_OR_CHARACTER)) {
    const size = columnsOf(unit);
    if (columns + size > width && line !== '') {
      // The blank itself is left out.
      const rest = lastBlank < 0 || unit === ' ' ? '' : line.slice(lastBlank + 1);
      lines.push(lastBlank < 0 || unit === ' ' ? line : line.slice(0, lastBlank));
      line = rest;
      columns = columnsIn(rest);
      lastBlank = -1;
      if (unit === ' ') continue;
    }
    if (unit === ' ') lastBlank = line.length;
    line += unit;
    columns += size;
  }
  lines.push(line);
  return lines;
}

/** How many columns the text takes at most. */
function columnsIn(text: string): number {
  let columns = 0;
  for (const [unit] of text.matchAll(STYLE_OR_CHARACTER)) columns += columnsOf(unit);
  return columns;
}

/** Rather too many than too few: a line that the terminal breaks has lost its margin. */
function columnsOf(unit: string): number {
  if (unit.length > 2) return 0;
  return (unit.codePointAt(0) ?? 0) < FIRST_WIDE ? 1 : 2;
}

function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
