import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Processor time and memory from /proc; undefined on systems without it. */
const TICKS_PER_S = 100;

interface ProcessStat {
  parent: number;
  /** Its own, and of its children that have ended: without them the time would run backwards when one ends. */
  cpuMs: number;
}

function statOf(pid: number): ProcessStat | undefined {
  try {
    // The name in parentheses may itself hold anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return {
      parent: Number(fields[1]),
      cpuMs: ([11, 12, 13, 14].reduce((sum, place) => sum + Number(fields[place]), 0) / TICKS_PER_S) * 1000,
    };
  } catch {
    return undefined;
  }
}

function parents(): Map<number, number | undefined> {
  const names = existsSync('/proc') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  return new Map(names.map((name) => [Number(name), statOf(Number(name))?.parent]));
}

export function childrenOf(parent: number): number[] {
  return [...parents()].filter(([, each]) => each === parent).map(([child]) => child);
}

/** The process and everything below it. */
function familyOf(pid: number): number[] {
  const all = parents();
  const family = [pid];
  for (let index = 0; index < family.length; index += 1)
    for (const [child, parent] of all) if (parent === family[index]) family.push(child);
  return family;
}

/** False where the process is gone already. */
export function signalQuietly(pid: number | undefined, signal: NodeJS.Signals | 0): boolean {
  try {
    // 0 would be everything that was started together with this process.
    return pid !== undefined && pid > 0 && process.kill(pid, signal);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ESRCH') throw error;
    return false;
  }
}

export function cpuMsOf(pid: number): number | undefined {
  const stats = familyOf(pid).map(statOf);
  if (stats[0] === undefined) return undefined;
  return stats.reduce((sum, stat) => sum + (stat?.cpuMs ?? 0), 0);
}

export function memoryBytesOf(pid: number): number | undefined {
  try {
    const kib = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kib === undefined ? undefined : Number(kib) * 1024;
  } catch {
    return undefined;
  }
}

export interface Watched {
  /** In the order of the processes given. */
  cpuMs: (number | undefined)[];
  peakMemoryBytes: (number | undefined)[];
}

/** What processes use while something is done. */
export async function watching<T>(
  pids: readonly number[],
  work: () => Promise<T>,
): Promise<Watched & { result: T }> {
  const before = pids.map(cpuMsOf);
  const peaks = pids.map(memoryBytesOf);
  const timer = setInterval(() => {
    pids.forEach((pid, index) => {
      const now = memoryBytesOf(pid);
      const peak = peaks[index];
      if (now !== undefined && (peak === undefined || now > peak)) peaks[index] = now;
    });
  }, 200);
  try {
    const result = await work();
    const cpuMs = pids.map((pid, index) => {
      const [from, to] = [before[index], cpuMsOf(pid)];
      return from === undefined || to === undefined ? undefined : to - from;
    });
    return { result, cpuMs, peakMemoryBytes: peaks };
  } finally {
    clearInterval(timer);
  }
}
