import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The repository. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** One fenced block of a page. */
export interface Block {
  file: string;
  line: number;
  /** The language of the fence; empty for plain text. */
  language: string;
  code: string;
  /** Set when the preceding sentence makes the reader save the block under this name. */
  saveAs: string | undefined;
  /** Text of the heading above. */
  heading: string;
  /** The machines where the preceding sentence makes the reader type it. */
  machines: readonly string[];
}

/** Everything a reader may type: README and the pages of docs/, but for decisions. */
export const PAGES: readonly string[] = [
  'README.md',
  ...readdirSync(`${ROOT}docs`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('decisions/'))
    .sort()
    .map((name) => `docs/${name}`),
];

export function readPage(file: string): string {
  return readFileSync(`${ROOT}${file}`, 'utf8');
}

export function blocksOf(file: string): Block[] {
  const lines = readPage(file).split('\n');
  const blocks: Block[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const fence = /^```(\S*)/.exec(lines[index] ?? '');
    if (fence === null) continue;
    const end = lines.indexOf('```', index + 1);
    if (end === -1) throw new Error(`${file}:${index + 1} is never closed`);
    const before = lines.slice(0, index).findLast((line) => line.trim() !== '') ?? '';
    const code = `${lines.slice(index + 1, end).join('\n')}\n`;
    const [language = '', line] = [fence[1], index + 1];
    const heading = lines.slice(0, index).findLast((text) => /^#+ /.test(text)) ?? '';
    blocks.push({
      ...{ file, line, language, code, saveAs: savedName(before) },
      heading: heading.replace(/^#+ /, ''),
      machines: machinesIn(before),
    });
    index = end;
  }
  return blocks;
}

/** From sentences such as "Save this as `agent.mjs`:". */
function savedName(sentence: string): string | undefined {
  return /\b[Ss]ave (?:this|it) as `([\w.-]+)`/.exec(sentence)?.[1];
}

/** From sentences such as "On `app1` and `app2`:". */
function machinesIn(sentence: string): string[] {
  const [, first, second] = /\bon `(\w+)`(?: and `(\w+)`)?:$/i.exec(sentence) ?? [];
  return [first, second].filter((name) => name !== undefined);
}

export function nameOf({ file, line, language }: Block): string {
  return `${file}:${line} (${language || 'plain text'})`;
}
