import { readFileSync } from 'node:fs';
import type { Command, Options } from './command.ts';
import { listing } from './output.ts';

const COMMON: Options = {
  json: { type: 'boolean', summary: 'machine output: JSON on stdout, nothing else there' },
  help: { type: 'boolean', summary: 'this text' },
};

export function overview(commands: readonly Command[]): string {
  return [
    'PayAssent: payments that agents request and people approve.',
    '',
    'Usage: payassent <command> [options]',
    '',
    listing(
      commands.map(({ name, summary }) => [name, summary]),
      '  ',
    ),
    '',
    'payassent <command> --help explains one of them; payassent --version prints the version.',
    'Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 3 no response in time, 4 ended without success, 78 wrong settings (serve), 130 interrupted.',
  ].join('\n');
}

export async function helpFor(command: Command): Promise<string> {
  const { name, summary, positionals, details } = command;
  const options = { ...command.options, ...COMMON };
  const rows = Object.entries(options).map(
    ([option, { placeholder, type, summary: text, multiple }]) =>
      [
        `--${option}${type === 'string' ? ` <${placeholder ?? 'text'}>` : ''}`,
        `${text}${multiple ? ' (may be repeated)' : ''}`,
      ] as const,
  );
  const more = typeof details === 'function' ? await details() : details;
  return [
    `payassent ${name}: ${summary}`,
    '',
    `Usage: payassent ${name}${positionals ? ` ${positionals}` : ''} [options]`,
    '',
    listing(rows, '  '),
    ...(more ? ['', more] : []),
  ].join('\n');
}

/** Of the package that this command belongs to. */
export function readVersion(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
