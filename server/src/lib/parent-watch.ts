import { isSameProcess, type ProcessInfo, readProcess } from './process-info.ts';

/** Leaves most of the promised 2 s to the stop itself. */
const CHECK_MS = 250;
const SHELL_NAMES = new Set(['sh', 'bash', 'dash', 'ash', 'ksh', 'zsh', 'busybox']);

// Read when the program begins: npm may be killed while the service is still starting.
const parentPid = process.ppid;
const starters = findStarters(parentPid);

/**
 * Calls `onGone` once when the program that started this process (npm, perhaps through a shell) is gone. Killing `npm
 * start` is meant to stop the service; without this it would keep running with no parent to stop it. Returns a function
 * that ends the watch. The watch does not keep the process alive.
 */
export function watchStartingParent(onGone: () => void, options: { checkMs?: number } = {}): () => void {
  const timer = setInterval(() => {
    const isOrphaned = process.ppid !== parentPid || !starters.every(isSameProcess);
    if (!isOrphaned) return;
    clearInterval(timer);
    onGone();
  }, options.checkMs ?? CHECK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Our parent and, when that is a shell, the program that started the shell: the chain up to the package manager. */
function findStarters(nearestPid: number): ProcessInfo[] {
  // Without /proc each check would start a program: there the parent's pid alone must do.
  if (process.platform !== 'linux') return [];
  const chain: ProcessInfo[] = [];
  for (let pid = nearestPid; ; ) {
    const starter = readProcess(pid);
    if (starter === undefined) return chain;
    chain.push(starter);
    if (!SHELL_NAMES.has(starter.name) || starter.parentPid <= 1) return chain;
    pid = starter.parentPid;
  }
}
