import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serverUser } from '../../stage/database/servers.ts';
import { ROOT } from '../../stage/root.ts';
import { missingPrograms } from '../programs.ts';

/** A network namespace that can be cut off, with programs that can be killed together. */
export interface Machine {
  name: string;
  address: string;
  /** In the background, until the machine is killed. Output goes to a file in the machine's folder. */
  start(program: string, args: readonly string[], env?: Record<string, string>): void;
  /** True when it ended with 0 within its time. */
  run(program: string, args: readonly string[], withinMs: number): boolean;
  /** `kill -9` of everything on it. */
  kill(): void;
  cut(): void;
  join(): void;
  folder: string;
}

/** Marks the process that runs inside the namespaces. */
const INSIDE = 'PAYASSENT_DRILL_FOLDER';
const NAMESPACES = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];

/** The folder of the drill, once this process is inside. */
export const insideFolder = (): string | undefined => process.env[INSIDE];

/** Why it cannot be done here. */
export function missingNamespaces(programs: Readonly<Record<string, string>>): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'It makes machines of network namespaces, which needs Linux and root.';
  const missing = missingPrograms(programs);
  if (missing !== undefined) return missing;
  const trial = 'mount -t tmpfs tmpfs /mnt && ip link add lan type bridge';
  const { status, stderr } = spawnSync('unshare', [...NAMESPACES, 'sh', '-c', trial], { encoding: 'utf8' });
  return status === 0 ? undefined : `This kernel does not let it make namespaces: ${stderr.trim()}`;
}

/**
 * Runs this program again inside new namespaces, with a network of these machines. When it ends, however it ends,
 * processes, network and mounts are removed.
 */
export async function runInside(folder: string, hosts: Readonly<Record<string, string>>): Promise<number> {
  const lines = Object.entries(hosts).map(([name, address]) => `${address} ${name}.internal`);
  writeFileSync(join(folder, 'hosts'), `127.0.0.1 localhost\n${lines.join('\n')}\n`);
  const network = join(ROOT, 'cli/test/quick-start/network.sh');
  const child = spawn(
    'unshare',
    [...NAMESPACES, 'bash', network, folder, process.execPath, ...process.argv.slice(1)],
    {
      env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/sbin`, [INSIDE]: folder },
      stdio: 'inherit',
    },
  );
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

export function openMachine(root: string, name: string, address: string): Machine {
  const [folder, user] = [join(root, name), serverUser()];
  mkdirSync(folder, { recursive: true });
  if (user) execFileSync('chown', [`${user.uid}:${user.gid}`, folder]);
  const as = user
    ? ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', '--no-new-privs']
    : [];
  const link = (state: 'up' | 'down') => execFileSync('ip', ['link', 'set', `to-${name}`, state]);
  return {
    name,
    address,
    folder,
    start(program, args, env = {}) {
      const log = join(folder, `${program.split('/').at(-1)}.log`);
      const line = `exec "$@" >>'${log}' 2>&1`;
      const command = ['netns', 'exec', name, ...as, 'sh', '-c', line, 'sh', program, ...args];
      // They end with the namespace: the drill does not wait for them.
      spawn('ip', command, {
        cwd: folder,
        env: { PATH: process.env['PATH'], HOME: folder, LC_ALL: 'C.UTF-8', ...env },
        stdio: 'ignore',
      }).unref();
    },
    run(program, args, withinMs) {
      const command = ['netns', 'exec', name, ...as, program, ...args];
      return spawnSync('ip', command, { cwd: folder, stdio: 'ignore', timeout: withinMs }).status === 0;
    },
    kill() {
      const pids = execFileSync('ip', ['netns', 'pids', name], { encoding: 'utf8' }).split('\n');
      for (const pid of pids.filter((text) => text !== ''))
        if (existsSync(`/proc/${pid}`)) spawnSync('kill', ['-9', pid]);
    },
    cut: () => void link('down'),
    join: () => void link('up'),
  };
}

/** The last lines of every log of a machine, for the person who has to find out why. */
export function lastWords({ folder, name }: Machine): string {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.log'))
    .map(
      (file) =>
        `${name} ${file}:\n${readFileSync(join(folder, file), 'utf8').split('\n').slice(-8).join('\n')}`,
    )
    .join('\n');
}
