import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, platform, release, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from './root.ts';

export const say = (text: string): void => void process.stdout.write(`${text}\n`);

export const count = (value: number): string => value.toLocaleString('en');

export const today = (): string => new Date().toISOString().slice(0, 10);

export function describeMachine(): string {
  const list = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${list.length} × ${list[0]?.model.trim() ?? 'unknown processor'}, ${memory} GiB, ${platform()} ${release()}, Node ${process.versions.node}`;
}

/** A table of Markdown; nothing where it has no rows. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

/** Puts a text between the two marks of this name on a page of docs/proof/, and its figures as JSON next to the page. */
export async function publish(
  page: 'torture' | 'drills',
  name: string,
  markdown: string,
  figures?: unknown,
): Promise<void> {
  const file = join(ROOT, `docs/proof/${page}.md`);
  const text = await readFile(file, 'utf8');
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from === -1 || to === -1) throw new Error(`docs/proof/${page}.md has no place for ${name}.`);
  await writeFile(file, `${text.slice(0, from + begin.length)}\n${markdown.trim()}\n${text.slice(to)}`);
  if (figures === undefined) return;
  const json = join(ROOT, `docs/proof/${page}/${name}.json`);
  await mkdir(dirname(json), { recursive: true });
  await writeFile(json, `${JSON.stringify(figures, null, 2)}\n`);
  // Formatted like the rest of the repository, so that the next check passes.
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
  spawnSync(process.execPath, [biome, 'format', '--write', json], { cwd: ROOT });
}
