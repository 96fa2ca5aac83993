/**
 * Writes what is generated from the code: operations and types of the SDK, openapi.json, the error page, the network
 * table and the state diagrams. `--check` writes nothing and fails when a committed file differs.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const check = process.argv.includes('--check');
const root = new URL('../', import.meta.url);
let stale = 0;

function compile() {
  const compiler = fileURLToPath(new URL('node_modules/typescript/bin/tsc', root));
  return spawnSync(process.execPath, [compiler, '-b'], { cwd: root, encoding: 'utf8' });
}

function write(files) {
  const before = stale;
  for (const [path, content] of Object.entries(files)) {
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
  return stale > before;
}

// The SDK first: without it the service, from which the rest is written, cannot be loaded. What the SDK lacks until
// then is an error of the compiler, which writes all the same.
if (!check) compile();
const { sdkFiles } = await import('../server/dist/generate/sdk.js');
if (write(sdkFiles()) && !check) {
  const { status, stdout } = compile();
  if (status !== 0) throw new Error(stdout);
}
const { generatedFiles } = await import('../server/dist/generate/index.js');
write(generatedFiles());
process.exitCode = check && stale > 0 ? 1 : 0;
