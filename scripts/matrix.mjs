/**
 * Runs the quick checks under every version of Node.js that is supported, each fetched from npm (`node@22`) into a
 * temporary folder: the compiled service starts, one payment goes through, and a selection of tests passes.
 *
 *   npm run matrix [-- 22 24]
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { arch, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const VERSIONS = ['20.19', '22', '24', '26'];
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const CHECKS = {
  try: ['cli/dist/main.js', 'try'],
  tests: [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    'fast',
    '--maxWorkers',
    '1',
    'protocol/src',
    'server/src/lib',
    'server/src/db/driver.test.ts',
    'server/src/config/config.test.ts',
    'server/test/metrics.test.ts',
  ],
};

const say = (text) => process.stdout.write(`${text}\n`);
const asked = process.argv.slice(2);
const folder = mkdtempSync(path.join(tmpdir(), 'payassent-matrix-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** The program, and its reported version. */
function fetchNode(version) {
  const place = path.join(folder, version);
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}');
  const args = ['install', '--prefix', place, '--no-audit', '--no-fund', '--no-save', `node@${version}`];
  const { status, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' });
  const program = ['bin/node', `../node-linux-${arch()}/bin/node`]
    .map((name) => path.join(place, 'node_modules/node', name))
    .find(existsSync);
  if (status !== 0 || !program) throw new Error(`node@${version} cannot be had: ${stderr}`);
  return { program, exact: spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.trim() };
}

let failures = 0;
for (const version of asked.length > 0 ? asked : VERSIONS) {
  const { program, exact } = fetchNode(version);
  for (const [name, args] of Object.entries(CHECKS)) {
    const startedMs = Date.now();
    const { status, stdout, stderr } = spawnSync(program, args, {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${path.dirname(program)}:${process.env.PATH}` },
      maxBuffer: 64 * 1024 * 1024,
    });
    const warned = /\b(DeprecationWarning|ExperimentalWarning)\b.*/.exec(stderr)?.[0];
    const isGood = status === 0;
    if (!isGood) failures += 1;
    const tests = /Tests\s+(.*)/.exec(stdout)?.[1];
    const time = `${((Date.now() - startedMs) / 1000).toFixed(0)} s`;
    say(
      `${exact} ${arch()} ${name}: ${isGood ? 'ok' : `FAILED (${status})`}, ${[tests, warned, time].filter(Boolean).join(', ')}`,
    );
    if (!isGood) say(`${stdout}${stderr}`.split('\n').slice(-40).join('\n'));
  }
}
process.exitCode = failures === 0 ? 0 : 1;
