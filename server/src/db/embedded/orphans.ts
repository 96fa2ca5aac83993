import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ProcessInfo, readProcess } from '../../lib/process-info.ts';
import { type Binaries, program } from './binaries.ts';
import { EmbeddedStartError } from './errors.ts';
import { run } from './run.ts';

const FAST_STOP_MS = 6000;
const IMMEDIATE_STOP_MS = 2000;
/** Without their postmaster the other processes exit; a busy one may take a moment. */
const ORPHANS_END_MS = 500;
const KILL_MS = 2000;
const POLL_MS = 20;

/**
 * Ends every PostgreSQL process that still works on the cluster (its service was killed) and removes the pid
 * file, so that neither a zombie nor a reused pid can keep the next server from starting.
 * Call only while holding the lock of the data folder.
 */
export async function stopLeftovers(
  cluster: string,
  binaries: Binaries,
  log: (message: string) => void,
): Promise<void> {
  const found = await findProcesses(cluster);
  if (found.length > 0) {
    log(`ending ${found.length} PostgreSQL processes that were left behind`);
    await stopServer(cluster, binaries);
  }
  await rm(path.join(cluster, 'postmaster.pid'), { force: true });
}

/** Stops the server of the cluster with all its processes: first gently, then hard. */
export async function stopServer(cluster: string, binaries: Binaries): Promise<void> {
  if (process.platform === 'win32') return stopOnWindows(cluster, binaries);
  const postmasterPid = await readPostmasterPid(cluster);
  const postmaster = (await findProcesses(cluster)).find(({ pid }) => pid === postmasterPid);
  if (postmaster !== undefined) {
    // Only the postmaster is signalled: the same signals have other meanings for its child processes.
    sendSignal(postmaster.pid, 'SIGINT');
    if (await allGone(cluster, FAST_STOP_MS)) return;
    // What was committed is recovered from the write-ahead log at the next start.
    sendSignal(postmaster.pid, 'SIGQUIT');
    if (await allGone(cluster, IMMEDIATE_STOP_MS)) return;
  } else if (await allGone(cluster, ORPHANS_END_MS)) {
    return;
  }
  for (const { pid } of await findProcesses(cluster)) sendSignal(pid, 'SIGKILL');
  if (await allGone(cluster, KILL_MS)) return;
  const pids = (await findProcesses(cluster)).map(({ pid }) => pid).join(', ');
  throw new EmbeddedStartError(
    `PostgreSQL processes of this data folder do not end: kill them (pid ${pids}).`,
  );
}

/** Windows has no signals; the server's own tool has another way. */
async function stopOnWindows(cluster: string, binaries: Binaries): Promise<void> {
  const seconds = String(FAST_STOP_MS / 1000);
  const command = [program(binaries, 'pg_ctl'), 'stop', '-D', cluster, '-m', 'fast', '-w', '-t', seconds];
  await run(command, { timeoutMs: FAST_STOP_MS + KILL_MS });
  for (const { pid } of await findProcesses(cluster)) sendSignal(pid, 'SIGKILL');
}

async function allGone(cluster: string, waitMs: number): Promise<boolean> {
  const deadlineMs = performance.now() + waitMs;
  for (;;) {
    if ((await findProcesses(cluster)).length === 0) return true;
    if (performance.now() >= deadlineMs) return false;
    await sleep(POLL_MS);
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
    throw new EmbeddedStartError(
      `PostgreSQL of this data folder still runs as pid ${pid} of another user. ` +
        'Stop it, or start the service as that user.',
    );
  }
}

async function findProcesses(cluster: string): Promise<ProcessInfo[]> {
  if (process.platform === 'linux') return findByWorkingFolder(cluster);
  const postmaster = await readPostmasterPid(cluster);
  const info = postmaster === undefined ? undefined : readProcess(postmaster);
  // Windows does not reveal the name.
  return info !== undefined && (info.name === '' || info.name.startsWith('postgres')) ? [info] : [];
}

/** Every process of a PostgreSQL server works in its data folder, including those that outlived their postmaster. */
function findByWorkingFolder(cluster: string): ProcessInfo[] {
  const target = statSync(cluster);
  const found: ProcessInfo[] = [];
  for (const name of readdirSync('/proc')) {
    const info = /^\d+$/.test(name) ? readProcess(Number(name)) : undefined;
    if (info === undefined || info.name !== 'postgres') continue;
    try {
      const folder = statSync(`/proc/${name}/cwd`);
      if (folder.ino === target.ino && folder.dev === target.dev) found.push(info);
    } catch {
      // Gone meanwhile, or of another user: then it cannot be ours.
    }
  }
  return found;
}

/**
 * Ends programs that were creating a cluster in this folder when their service was killed. They get time to close their
 * files: killed outright they would leak shared memory.
 */
export async function stopInitLeftovers(folder: string): Promise<void> {
  if (process.platform !== 'linux') return;
  for (const { pid, name } of findInvolved(folder)) if (name === 'initdb') sendSignal(pid, 'SIGTERM');
  const deadlineMs = performance.now() + KILL_MS;
  while (findInvolved(folder).length > 0 && performance.now() < deadlineMs) await sleep(POLL_MS);
  for (const { pid } of findInvolved(folder)) sendSignal(pid, 'SIGKILL');
}

function findInvolved(folder: string): ProcessInfo[] {
  const found: ProcessInfo[] = [];
  for (const name of readdirSync('/proc')) {
    const info = /^\d+$/.test(name) ? readProcess(Number(name)) : undefined;
    if (info === undefined || (info.name !== 'initdb' && info.name !== 'postgres')) continue;
    try {
      const traces = readlinkSync(`/proc/${name}/cwd`) + readFileSync(`/proc/${name}/cmdline`, 'utf8');
      if (traces.includes(folder)) found.push(info);
    } catch {
      // Gone meanwhile, or of another user.
    }
  }
  return found;
}

async function readPostmasterPid(cluster: string): Promise<number | undefined> {
  const text = await readFile(path.join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  return Number.isNaN(pid) ? undefined : pid;
}
