/** Programs as a newcomer, or another user of the machine, would start them. */
import { spawn } from 'node:child_process';
import path from 'node:path';

/** Something that a newcomer would stumble over. */
export class CheckError extends Error {}

const PATIENCE_MS = 180_000;

/** What a program of this user sees; nothing of the checkout, of npm or of a service is among it. */
function surroundings({ cwd, env }) {
  const names = ['PATH', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'];
  const kept = [...names, 'NODE_EXTRA_CA_CERTS'].map((name) => [name, process.env[name]]);
  return { ...Object.fromEntries(kept), HOME: path.join(cwd, 'home'), ...env };
}

/**
 * Starts a program as this or another user; `output` grows while it runs, and `code` is there when it has ended. It is
 * killed after three minutes, unless it leads a process group that its starter ends.
 */
export function start(command, args, { cwd, user, env, input, isGroup = false }) {
  const child = spawn(command, args, {
    cwd,
    env: surroundings({ cwd, env }),
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...(user === undefined ? {} : { uid: user, gid: user }),
    detached: isGroup,
  });
  child.stdin?.end(input);
  const started = { child, output: '', stdout: '', code: undefined };
  const late = isGroup ? undefined : setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  child.stdout.setEncoding('utf8').on('data', (text) => {
    started.stdout += text;
    started.output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    started.output += text;
  });
  started.ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(late);
      started.code = code ?? -1;
      resolve(started);
    });
  });
  return started;
}

export function run(command, args, options) {
  return start(command, args, options).ended;
}

/** The standard output; throws unless the command succeeds. */
export async function outputOf(command, args, options) {
  const { code, output, stdout } = await run(command, args, options);
  if (code !== 0) throw new CheckError(`${command} ${args.join(' ')} ended with ${code}:\n${output}`);
  return stdout;
}
