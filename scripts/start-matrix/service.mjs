/** Runs `npm start` in a clone under given circumstances and sees what comes of it. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { start } from '../processes.mjs';

const READY_MS = 60_000;
const STOP_MS = 15_000;

/** Hides a program from everything that runs below: the way to forbid user namespaces to one process tree. */
function hiding(programs) {
  const mounts = programs.map((name) => `mount --bind /bin/false "$(command -v ${name})"`);
  return ['unshare', '--mount', 'sh', '-c', [...mounts, 'exec "$@"'].join(' && '), 'sh'];
}

/** Makes a folder read-only for everything that runs below. */
function readOnly(folder) {
  const script = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && cd "$(pwd)" && exec "$@"';
  return ['unshare', '--mount', 'sh', '-c', script, folder];
}

const NAMESPACES = {
  on: [],
  off: hiding(['unshare']),
  'off, no setpriv': hiding(['setpriv', 'unshare']),
};

export function startService({ clone, user, namespaces, readOnlyFolder, environment, home, variables }) {
  const command = [
    ...(NAMESPACES[namespaces] ?? []),
    ...(readOnlyFolder === undefined ? [] : readOnly(readOnlyFolder)),
    ...(user === 0 ? [] : ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--']),
    'npm',
    'start',
  ];
  const env = {
    HOME: home,
    npm_config_update_notifier: 'false',
    ...(environment === 'production' ? { NODE_ENV: 'production' } : {}),
    ...variables,
  };
  return start(command[0], command.slice(1), { cwd: clone, env, isGroup: true });
}

/** 'running' when /health returns 200, otherwise 'refused' (the process ended) or 'silent' (neither in time). */
export async function outcomeOf(service, port) {
  const deadlineMs = performance.now() + READY_MS;
  while (performance.now() < deadlineMs) {
    if (service.code !== undefined) return 'refused';
    // Another program on the port may accept connections and never respond.
    const signal = AbortSignal.timeout(2000);
    const answer = await fetch(`http://127.0.0.1:${port}/health`, { signal }).catch(() => undefined);
    if (answer?.status === 200) return 'running';
    await sleep(50);
  }
  return 'silent';
}

/** SIGTERM to the whole group, as a terminal or a supervisor does. Returns what went wrong, if anything. */
export async function stopService(service, clone) {
  if (service.code === undefined) process.kill(-service.child.pid, 'SIGTERM');
  const inTime = await Promise.race([service.ended.then(() => true), sleep(STOP_MS, false, { ref: false })]);
  if (inTime !== true) {
    process.kill(-service.child.pid, 'SIGKILL');
    return 'did not end within 15 s after SIGTERM';
  }
  const left = processesBelow(clone);
  return left.length === 0 ? undefined : `left processes behind: ${left.join(', ')}`;
}

export function processesBelow(folder) {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readlinkSync(`/proc/${name}/cwd`).startsWith(folder);
    } catch {
      return false;
    }
  });
}

/** Database processes below the folder that have the rights of root. */
export function databasesOfRoot(folder) {
  return processesBelow(folder).filter((pid) => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return /^Name:\s+postgres$/m.test(status) && /^Uid:.*\b0\b/m.test(status);
  });
}
