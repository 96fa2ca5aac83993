import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Mutation {
  name: string;
  file: string;
  /** The guard that is missing. */
  removes: string;
  /** The invariants of which one must notice. */
  foundBy: string[];
}

/** Every patch says in its first lines what it takes away and who should notice. */
export function readMutations(folder: string): Mutation[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.patch'))
    .sort()
    .map((name) => {
      const file = join(folder, name);
      const text = readFileSync(file, 'utf8');
      const line = (label: string) => new RegExp(`^${label}: (.+)$`, 'm').exec(text)?.[1] ?? '';
      return {
        name: name.replace('.patch', ''),
        file,
        removes: line('Removes'),
        foundBy: line('Found by').split('; '),
      };
    });
}
