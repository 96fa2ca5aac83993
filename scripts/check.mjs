/**
 * The checks of `npm run check` and, with `slow` as first argument, of `npm run check:slow`. Each step prints one line;
 * what a failed step printed follows in full.
 *
 *   npm run check [-- --cost]    --cost: the twenty dearest test files and the processor time of each step
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const isSlow = process.argv[2] === 'slow';
const showsCost = process.argv.includes('--cost');
const DEAREST = 20;
/** How many clock ticks of `/proc` make a second: the same on every Linux that Node runs on. */
const TICKS = 100;

const node = (...args) => [process.execPath, ...args];
const npm = (script) => ['npm', 'run', '--silent', script];
const tests = (project) => [path.join(root, 'node_modules', '.bin', 'vitest'), 'run', '--project', project];

const pages = node('scripts/build-pages.mjs');
/** Steps of one group run side by side, the groups one after another. */
const GROUPS = isSlow
  ? [
      {
        compile: npm('compile'),
        pages,
        // One after the other: both may ask the system's package manager.
        programs: node('scripts/install-programs.mjs'),
      },
      // These start processes of their own: a third worker would only make them wait for each other.
      { tests: [...tests('slow'), '--maxWorkers', '2'] },
      { packages: node('scripts/pack-check.mjs', '--thorough') },
    ]
  : [
      { types: npm('types'), lint: npm('lint'), pages, browser: node('scripts/chromium.mjs') },
      { tests: tests('fast') },
      { packages: node('scripts/pack-check.mjs') },
    ];
/** What a step could not check is said again at the end. */
const LEFT_OUT = /^Left out: .*$/gm;

const say = (text) => process.stdout.write(`${text}\n`);
const seconds = (ms) => `${(ms / 1000).toFixed(0)} s`;

/** Of all processes that have ended and that were started from here, directly or not. Undefined outside of Linux. */
function processorMs() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return ((Number(fields[13]) + Number(fields[14])) * 1000) / TICKS;
  } catch {
    return undefined;
  }
}

function run([command, ...args], env) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
    child.on('error', (error) => resolve({ code: 1, output: String(error) }));
    child.on('close', (code) => resolve({ code, output: Buffer.concat(output).toString() }));
  });
}

async function runStep(name, command, env) {
  const startedMs = Date.now();
  const { code, output } = await run(command, env);
  if (code !== 0) throw new Error(`${output}\n✗ ${name}: "${command.join(' ')}" ended with ${code}.`);
  say(`✓ ${name} (${seconds(Date.now() - startedMs)})`);
  return output.match(LEFT_OUT) ?? [];
}

/** Where the reporter of the tests writes what they cost and what was left out. */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { files: [], leftOut: [], counts: undefined };
  }
}

function sayCost(files, startedMs) {
  const dearest = [...files].sort((a, b) => b.ms - a.ms).slice(0, DEAREST);
  for (const { file, ms, tests } of dearest) say(`${seconds(ms).padStart(8)}  ${file} (${tests} tests)`);
  const cpu = processorMs();
  const processor = cpu === undefined ? 'not known on this system' : seconds(cpu);
  say(`Wall time ${seconds(Date.now() - startedMs)}, processor time ${processor}, all steps together.`);
}

async function main() {
  const startedMs = Date.now();
  const folder = mkdtempSync(path.join(tmpdir(), 'payassent-check-'));
  const reportFile = path.join(folder, 'report.json');
  try {
    const env = { ...process.env, PAYASSENT_TEST_REPORT: reportFile };
    const notes = [];
    for (const group of GROUPS)
      notes.push(
        ...(await Promise.all(Object.entries(group).map(([name, command]) => runStep(name, command, env)))),
      );
    const { files, leftOut, counts } = readReport(reportFile);
    if (showsCost) sayCost(files, startedMs);
    for (const line of [...notes.flat(), ...leftOut.map((reason) => `Left out: ${reason}`)]) say(line);
    say(`Everything passed in ${seconds(Date.now() - startedMs)}.`);
    if (counts) say(`${counts.passed} passed, 0 failed, ${counts.skipped} skipped`);
  } catch (error) {
    say(error.message);
    process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
