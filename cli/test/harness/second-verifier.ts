import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type PublishedKey, verifyEvidence } from '@payassent/protocol/evidence';

const program = (name: string) => fileURLToPath(new URL(`../../../docs/verify/${name}`, import.meta.url));
const python = (...args: string[]) => spawnSync('python3', ['-B', ...args], { encoding: 'utf8' });

/** Whether the verifier in Python can be run here. */
export const hasPython = python('-c', 'import cryptography').status === 0;

/** Runs a program of docs/verify with a bundle and keys, in files of this folder. */
export async function runPython(folder: string, name: string, bundle: string, keys: readonly unknown[]) {
  await writeFile(join(folder, 'bundle.json'), bundle);
  await writeFile(join(folder, 'keys.json'), JSON.stringify({ keys }));
  return python(program(name), join(folder, 'bundle.json'), join(folder, 'keys.json'));
}

const STATUSES: Readonly<Record<string, string>> = {
  '✓': 'holds',
  '✗': 'broken',
  '–': 'not_claimed',
  '•': 'service_word',
};

export function firstOutcomes(bundle: string, keys: readonly PublishedKey[]): Record<string, string> {
  return Object.fromEntries(
    verifyEvidence(bundle, { keys }).claims.map(({ claim, status }) => [claim, status]),
  );
}

/** What the second one printed, as the first verifier names it. */
export function outcomesIn(stdout: string): Record<string, string | undefined> {
  const lines = [...stdout.matchAll(/^(.) (\w+) /gmu)];
  return Object.fromEntries(lines.map(([, mark = '', claim = '']) => [claim, STATUSES[mark]]));
}
