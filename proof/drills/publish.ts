import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../stage/root.ts';

/** Puts the figures of a drill between its two marks in docs/DRILLS.md. */
export async function publishDrill(name: string, markdown: string): Promise<void> {
  const file = join(ROOT, 'docs/DRILLS.md');
  const text = await readFile(file, 'utf8');
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from === -1 || to === -1) throw new Error(`docs/DRILLS.md has no place for ${name}.`);
  await writeFile(file, `${text.slice(0, from + begin.length)}\n${markdown.trim()}\n${text.slice(to)}`);
}
