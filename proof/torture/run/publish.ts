import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../../stage/root.ts';
import { type Report, reportMarkdown, shortMarkdown } from './report.ts';

/** Puts a text between two marks of docs/TORTURE.md, and the figures as JSON beside it. */
export async function publishPart(name: string, markdown: string, figures: unknown): Promise<void> {
  const file = join(ROOT, 'docs/TORTURE.md');
  const text = await readFile(file, 'utf8');
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from === -1 || to === -1) throw new Error(`docs/TORTURE.md has no place for ${name}.`);
  await writeFile(file, `${text.slice(0, from + begin.length)}\n${markdown.trim()}\n${text.slice(to)}`);
  await mkdir(join(ROOT, 'docs/torture'), { recursive: true });
  const json = join(ROOT, `docs/torture/${name}.json`);
  await writeFile(json, `${JSON.stringify(figures, null, 2)}\n`);
  // As everything else in the repository is written, so that the next check finds nothing to say.
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
  spawnSync(process.execPath, [biome, 'format', '--write', json], { cwd: ROOT });
}

export async function publish(report: Report): Promise<void> {
  const figures = { ...report, folder: undefined };
  if (report.partitions > 0) await publishPart('partitions', shortMarkdown(report), figures);
  else await publishPart('run', reportMarkdown(report), figures);
}
