/**
 * The checks of `npm run check` and, with `slow` as first argument, of `npm run check:slow`. Each step prints one line.
 * The first that fails ends the steps running at the same time, and the last lines of its output follow.
 *
 *   npm run check [-- --cost]    --cost: the twenty dearest test files and the processor time of each step
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
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
/** The groups run one after another, the sequences of a group side by side, and the steps of a sequence in their order. */
const GROUPS = isSlow
  ? [
      // In one sequence, because both may call the system's package manager.
      [
        { compile: npm('compile') },
        { pages },
        { browser: node('scripts/chromium.mjs', '--whole'), nodes: node('scripts/chain-nodes.mjs') },
      ],
      [{ tests: tests('slow') }, { packages: node('scripts/pack-check.mjs', '--thorough') }],
    ]
  : [
      [{ compile: npm('compile') }, { pages }, { browser: node('scripts/chromium.mjs') }],
      // Tests mostly wait, the other steps compute: together they fill two cores.
      [
        { tests: tests('fast') },
        { types: npm('types'), lint: npm('lint'), packages: node('scripts/pack-check.mjs') },
      ],
    ];
/** Steps that may call the system's package manager. */
const INSTALLERS = new Set(['browser', 'nodes']);
/** Lines about what a step could not check are repeated at the end. */
const LEFT_OUT = /^Left out: .*$/gm;
/** Of the output of a failed step: enough for several failed tests. */
const LAST_LINES = 100;
/** Time for a step to end what it has started, before it is killed. */
const GRACE_MS = 10_000;

/** The first step that failed, or the signal that ended the run. */
let failed;

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

/** The steps that run now, by the process that leads the group of each. */
const running = new Map();

/** Each step leads a separate process group, so that it can be ended with everything it has started. */
function run(name, [command, ...args], env) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    if (child.pid !== undefined) running.set(child.pid, name);
    const output = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
    const finish = (ending, text) => {
      running.delete(child.pid);
      resolve({ ending, output: text });
    };
    child.on('error', (error) => finish('did not start', String(error)));
    child.on('close', (code, signal) => {
      const ending = code === 0 ? undefined : `ended with ${code ?? signal}`;
      finish(ending, Buffer.concat(output).toString());
    });
  });
}

/** An interrupted package manager would leave the system broken: a step that installs something is waited for. */
function endSteps() {
  for (const [pid, name] of running) {
    if (INSTALLERS.has(name)) continue;
    endGroup(pid, 'SIGTERM');
    setTimeout(() => running.has(pid) && endGroup(pid, 'SIGKILL'), GRACE_MS).unref();
  }
}

function endGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

class FailedStep extends Error {}

async function runStep(name, command, env, folder) {
  if (failed) throw failed;
  const startedMs = Date.now();
  const { ending, output } = await run(name, command, env);
  // The first step that fails is reported and ends the others, whose own failures are then not reported.
  if (failed) throw failed;
  if (ending !== undefined) {
    failed = new FailedStep(
      `✗ ${name}: "${command.join(' ')}" ${ending} after ${seconds(Date.now() - startedMs)}.`,
    );
    sayFailure(name, output, folder);
    endSteps();
    throw failed;
  }
  say(`✓ ${name} (${seconds(Date.now() - startedMs)})`);
  return output.match(LEFT_OUT) ?? [];
}

/** The end of what it printed, and the line that names it last. */
function sayFailure(name, output, folder) {
  const lines = output.trimEnd().split('\n');
  if (lines.length > LAST_LINES) {
    const file = path.join(folder, `${name}.log`);
    writeFileSync(file, output);
    say(`The last ${LAST_LINES} of ${lines.length} lines of ${name}; all of them are in ${file}`);
  }
  say(lines.slice(-LAST_LINES).join('\n'));
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

async function runSequence(steps, env, folder) {
  const notes = [];
  for (const [name, command] of Object.entries(steps))
    notes.push(...(await runStep(name, command, env, folder)));
  return notes;
}

/** Every step ends before this returns, even after one has failed. */
async function runGroup(sequences, env, folder) {
  const results = await Promise.allSettled(sequences.map((steps) => runSequence(steps, env, folder)));
  if (failed) throw failed;
  return results.flatMap(({ value }) => value);
}

async function main() {
  const startedMs = Date.now();
  const folder = mkdtempSync(path.join(tmpdir(), 'payassent-check-'));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => stop(signal));
  const reportFile = path.join(folder, 'report.json');
  try {
    const env = { ...process.env, PAYASSENT_TEST_REPORT: reportFile, PAYASSENT_TEST_COMPILED: 'on' };
    const notes = [];
    for (const group of GROUPS) notes.push(...(await runGroup(group, env, folder)));
    const { files, leftOut, counts } = readReport(reportFile);
    if (showsCost) sayCost(files, startedMs);
    for (const line of [...notes, ...leftOut.map((reason) => `Left out: ${reason}`)]) say(line);
    say(`Everything passed in ${seconds(Date.now() - startedMs)}.`);
    if (counts) say(`${counts.passed} passed, 0 failed, ${counts.skipped} skipped`);
  } catch (error) {
    if (!(error instanceof FailedStep)) throw error;
    say(error.message);
    process.exitCode = 1;
  } finally {
    // What a failed step printed is kept.
    rmSync(reportFile, { force: true });
    if (readdirSync(folder).length === 0) rmdirSync(folder);
  }
}

/** Steps run in separate groups: a signal from the terminal reaches this process only. */
function stop(signal) {
  failed ??= new FailedStep(`Stopped by ${signal}.`);
  endSteps();
}

await main();
