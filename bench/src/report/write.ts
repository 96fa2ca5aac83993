import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '../arguments.ts';
import type { Report } from './model.ts';

export async function writeReport(
  report: Report,
  settings: Settings,
  say: (text: string) => void,
): Promise<void> {
  await writeFile(join(settings.outDir, 'bench.json'), `${JSON.stringify(report, null, 2)}\n`);
  say(settings.outDir);
}
