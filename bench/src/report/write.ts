import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Settings } from '../arguments.ts';
import { toSvg } from './chart.ts';
import { toMarkdown } from './markdown.ts';
import type { Report } from './model.ts';
import { toText } from './text.ts';

const project = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

export async function writeReport(
  report: Report,
  settings: Settings,
  say: (text: string) => void,
): Promise<void> {
  const template = await readFile(project('bench/BENCH.template.md'), 'utf8');
  await writeFiles(
    settings.outDir,
    join(settings.outDir, 'BENCH.md'),
    toMarkdown(template, report, ''),
    report,
  );
  say(`\n${toText(report)}\n\nThe report is in ${settings.outDir}.`);
  if (!settings.isPublished) return;
  await writeFiles(
    project('docs/bench'),
    project('docs/BENCH.md'),
    toMarkdown(template, report, 'bench/'),
    report,
  );
  say('docs/BENCH.md and docs/bench were written.');
}

async function writeFiles(folder: string, page: string, markdown: string, report: Report): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'bench.json'), `${JSON.stringify(report, null, 2)}\n`);
  await writeFile(page, markdown);
  for (const curve of report.curves) await writeFile(join(folder, curve.file), toSvg(curve));
}
