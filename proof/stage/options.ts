import { parseArgs } from 'node:util';

/** One option of a command: its parser, its default, and its line in `--help`. */
interface Option<T> {
  /** The placeholder of the value in the help; undefined for a flag. */
  word: string | undefined;
  help: string;
  otherwise: T;
  read(text: string): T;
}

type Options = Readonly<Record<string, Option<unknown>>>;
export type Values<O extends Options> = { [Name in keyof O]: O[Name]['otherwise'] };

export const flag = (help: string): Option<boolean> => ({
  word: undefined,
  help,
  otherwise: false,
  read: () => true,
});

export const text = <T extends string | undefined>(
  word: string,
  help: string,
  otherwise: T,
): Option<string | T> => ({ word, help, otherwise, read: (value) => value });

export const number = <T extends number | undefined>(
  word: string,
  help: string,
  otherwise: T,
): Option<number | T> => ({
  word,
  help,
  otherwise,
  read(value) {
    const found = Number(value);
    if (!Number.isFinite(found) || found <= 0)
      throw new RangeError(`needs a number above zero, got ${value}`);
    return found;
  },
});

/** What `proof/main.ts` runs: with its options read, and the words that are no option. */
export interface Command {
  usage: string;
  options: Options;
  run(values: Record<string, unknown>, words: string[]): Promise<number>;
}

export function command<O extends Options>(
  usage: string,
  options: O,
  run: (values: Values<O>, words: string[]) => Promise<number>,
): Command {
  return { usage, options, run: run as Command['run'] };
}

/** Throws with a sentence for the person who typed it. */
export function readOptions<O extends Options>(
  options: O,
  args: readonly string[],
): { values: Values<O>; words: string[] } {
  const kinds = Object.entries(options).map(
    ([name, { word }]) => [name, { type: word === undefined ? 'boolean' : 'string' }] as const,
  );
  const given = parseArgs({ args: [...args], options: Object.fromEntries(kinds), allowPositionals: true });
  const read = Object.entries(options).map(([name, option]) => {
    const value = given.values[name];
    if (value === undefined) return [name, option.otherwise];
    try {
      return [name, option.read(String(value))];
    } catch (error) {
      throw new RangeError(`--${name} ${(error as Error).message}`);
    }
  });
  return { values: Object.fromEntries(read), words: given.positionals };
}

export function helpOf({ usage, options }: Command): string {
  const lines = Object.entries(options).map(([name, { word, help, otherwise }]) => [
    `--${name}${word === undefined ? '' : ` <${word}>`}`,
    otherwise === undefined || otherwise === false || otherwise === '' ? help : `${help} (${otherwise})`,
  ]);
  const width = Math.max(...lines.map(([option = '']) => option.length));
  return `${usage}\n\n${lines.map(([option = '', help]) => `  ${option.padEnd(width)}  ${help}\n`).join('')}`;
}
