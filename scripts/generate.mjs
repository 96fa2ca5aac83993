/**
 * Writes what is generated from the code: openapi.json, the error page, the network table and the state diagrams.
 * `--check` writes nothing and fails when a committed file differs.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { generatedFiles } from '../server/dist/generated.js';

const check = process.argv.includes('--check');
const root = new URL('../', import.meta.url);
let stale = 0;

for (const [path, content] of Object.entries(generatedFiles())) {
  const file = new URL(path, root);
  let current;
  try {
    current = readFileSync(file, 'utf8');
  } catch {
    current = undefined;
  }
  if (current === content) continue;
  stale += 1;
  if (check) process.stderr.write(`${path} differs from the code: run "npm run generate" and commit it.\n`);
  else {
    writeFileSync(file, content);
    process.stdout.write(`wrote ${path}\n`);
  }
}
process.exitCode = check && stale > 0 ? 1 : 0;
