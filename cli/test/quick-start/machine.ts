import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../guides/blocks.ts';

/** A terminal at a machine that was made of namespaces. */
export interface Machine {
  name: string;
  /** Types lines and waits until they are done; the first command that fails ends the machine, and this throws. */
  type(lines: string): Promise<string>;
  /** As when its power is cut: silent from one moment to the next. */
  kill(): Promise<void>;
}

const SCRIPT = fileURLToPath(new URL('machine.sh', import.meta.url));
const NAMESPACES = ['--mount', '--pid', '--uts', '--ipc', '--fork', '--kill-child', '--mount-proc'];

export function startMachine(name: string, folder: string): Machine {
  const args = ['netns', 'exec', name, 'unshare', ...NAMESPACES, 'bash', SCRIPT, name, folder, ROOT];
  const shell = spawn('ip', args, {
    env: {
      PATH: `${process.env['PATH']}:/usr/sbin:/sbin`,
      HOME: '/root',
      LANG: 'C.UTF-8',
      NODE_EXTRA_CA_CERTS: '/media/authority.crt',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let [output, turn] = ['', 0];
  let heard = () => {};
  shell.stdin.on('error', () => undefined);
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    heard();
  });
  const ended = once(shell, 'close').then(() => heard());
  const isOver = () => shell.exitCode !== null || shell.signalCode !== null;
  shell.stdin.write(
    'set -e -o pipefail\ntrap \'echo "failed: $BASH_COMMAND"; tail -n 40 *.log || true\' ERR\n',
  );
  return {
    name,
    async type(lines) {
      turn += 1;
      const [mark, from] = [`--- ${name}: ${turn} typed ---`, output.length];
      shell.stdin.write(
        `eval "$(cat <<'END_OF_TYPED'\n${lines}\nEND_OF_TYPED\n)" < /dev/null\necho '${mark}'\n`,
      );
      while (!output.includes(mark, from)) {
        if (isOver()) throw new Error(`${name}:\n${lines}\n${output.slice(from)}`);
        await new Promise<void>((resolve) => {
          heard = resolve;
        });
      }
      return output.slice(from).replace(mark, '');
    },
    async kill() {
      execFileSync('ip', ['link', 'set', `to-${name}`, 'down']);
      shell.kill('SIGKILL');
      await ended;
    },
  };
}
