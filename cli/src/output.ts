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
      io.stdout.write(isJson ? `${JSON.stringify(document)}\n` : `${text}\n`);
    },
    step(document, text) {
      if (isJson) io.stdout.write(`${JSON.stringify(document)}\n`);
      else io.stderr.write(`${text}\n`);
    },
    note(text) {
      if (!isJson) io.stderr.write(`${text}\n`);
    },
  };
}

export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  bad(text: string): string;
}

export function createPaint(io: Pick<Io, 'isColoured'>): Paint {
  const coloured = (code: number) => (text: string) =>
    io.isColoured ? `\u001B[${code}m${text}\u001B[0m` : text;
  return { bold: coloured(1), dim: coloured(2), good: coloured(32), bad: coloured(31) };
}

/** Enough of a secret to recognise it, never enough to use it. */
export function masked(secret: string): string {
  const prefix = /^(?:svc_[a-z]{2}_|whsec_)/.exec(secret)?.[0] ?? '';
  return `${prefix}…${secret.length >= 24 ? secret.slice(-4) : ''}`;
}

/**
 * Text that others wrote, made harmless for a terminal: nothing in it can move the cursor, turn the direction of
 * writing or hide characters.
 */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => (character === '\n' ? ' ' : '\uFFFD'));
}

/** Lines of `name  value`, aligned; members without a value are left out. */
export function listing(entries: ReadonlyArray<readonly [string, string | undefined]>, indent = ''): string {
  const shown = entries.filter((entry): entry is readonly [string, string] => entry[1] !== undefined);
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${indent}${name.padEnd(width)}  ${value}`).join('\n');
}
