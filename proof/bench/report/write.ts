import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../../stage/root.ts';
import type { Settings } from '../arguments.ts';
import { toSvg } from './chart.ts';
import { toMarkdown } from './markdown.ts';
import type { Report } from './model.ts';
import { toText } from './text.ts';

const project = (path: string) => join(ROOT, path);

export async function writeReport(
  report: Report,
  settings: Settings,
  say: (text: string) => void,
): Promise<void> {
  const template = await readFile(project('proof/bench/BENCH.template.md'), 'utf8');
  await writeFiles(report, {
    folder: settings.outDir,
    figures: 'bench.json',
    page: join(settings.outDir, 'BENCH.md'),
    markdown: toMarkdown(template, report, { chartFolder: '', others: [] }),
  });
  say(`\n${toText(report)}\n\nThe report is in ${settings.outDir}.`);
  if (!settings.isPublished) return;
  const folder = project('docs/bench');
  const figures = `${report.machine.arch}.json`;
  const others = await readOthers(folder, figures);
  await writeFiles(report, {
    folder,
    figures,
    page: project('docs/BENCH.md'),
    markdown: toMarkdown(template, report, { chartFolder: 'bench/', others }),
  });
  say('docs/BENCH.md and docs/bench were written.');
}

/** What was published of other architectures. */
async function readOthers(folder: string, own: string): Promise<Report[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json') && file !== own).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return texts.map((text) => JSON.parse(text) as Report);
}

async function writeFiles(
  report: Report,
  { folder, figures, page, markdown }: { folder: string; figures: string; page: string; markdown: string },
): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, figures), `${JSON.stringify(report, null, 2)}\n`);
  await writeFile(page, markdown);
  for (const curve of report.curves) await writeFile(join(folder, curve.file), toSvg(curve));
}
