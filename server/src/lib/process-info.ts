import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Identifies a process over time: a pid alone is reused, a pid with its start time is not. */
export interface ProcessInfo {
  pid: number;
  parentPid: number;
  /** Opaque; equal for the same process, different for a later one with the same pid. */
  startedAt: string;
  /** Short name of the program; empty where the system does not provide it. */
  name: string;
}

/** The live process with this pid; undefined when it is gone or only a zombie waiting to be reaped. */
export function readProcess(pid: number): ProcessInfo | undefined {
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  if (process.platform === 'linux') return readFromProc(pid);
  if (process.platform === 'win32') return readBySignal(pid);
  return readFromPs(pid);
}

/** True while the very process that was recorded is running. */
export function isSameProcess(recorded: { pid: number; startedAt: string }): boolean {
  const current = readProcess(recorded.pid);
  return current !== undefined && current.startedAt === recorded.startedAt;
}

function readFromProc(pid: number): ProcessInfo | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  // The name is in parentheses and may itself contain spaces and parentheses: split at the last one.
  const nameEnd = stat.lastIndexOf(')');
  const name = stat.slice(stat.indexOf('(') + 1, nameEnd);
  const [state, parentPid, ...rest] = stat.slice(nameEnd + 2).split(' ');
  // In containers a killed process may have no parent to reap it: it stays a zombie for which kill(pid, 0) succeeds.
  if (state === 'Z' || state === 'X' || state === 'x') return undefined;
  return { pid, parentPid: Number(parentPid), startedAt: rest[17] ?? '', name };
}

function readFromPs(pid: number): ProcessInfo | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'ppid=,stat=,lstart=,ucomm=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 5000,
    });
    const match = /^\s*(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.*)$/m.exec(line);
    if (match === null || match[2]?.startsWith('Z')) return undefined;
    return { pid, parentPid: Number(match[1]), startedAt: match[3] ?? '', name: (match[4] ?? '').trim() };
  } catch {
    return undefined;
  }
}

function readBySignal(pid: number): ProcessInfo | undefined {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return undefined;
  }
  return { pid, parentPid: 0, startedAt: '', name: '' };
}
