import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG_VARIABLES } from '../../../server/src/config/index.ts';

export interface Mutation {
  name: string;
  file: string;
  /** The guard that is missing. */
  removes: string;
  /** The invariants of which one must notice. */
  foundBy: string[];
  /** False where the service has no setting that its guard belongs to. */
  applies: boolean;
  /** Why torture is not run without it; undefined where it is. */
  leftOut: string | undefined;
}

/**
 * The first lines of every patch name what it removes, who should notice and, where that applies, the setting that its
 * guard belongs to or the test that holds the guard where torture cannot.
 */
export function readMutations(folder: string): Mutation[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.patch'))
    .sort()
    .map((name) => {
      const file = join(folder, name);
      const text = readFileSync(file, 'utf8');
      const line = (label: string) => new RegExp(`^${label}: (.+)$`, 'm').exec(text)?.[1] ?? '';
      const setting = line('Needs');
      const applies = setting === '' || setting in CONFIG_VARIABLES;
      return {
        name: name.replace('.patch', ''),
        file,
        removes: line('Removes'),
        foundBy: line('Found by').split('; '),
        applies,
        leftOut: applies ? line('Left out') || undefined : `the service has no setting ${setting}`,
      };
    });
}
