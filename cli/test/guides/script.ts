import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Block, nameOf } from './blocks.ts';

export interface Typed {
  code: number | null;
  output: string;
}

export interface TypingOptions {
  cwd: string;
  env: Record<string, string>;
  /** Documented addresses and what stands for them here. */
  replacements: ReadonlyMap<string, string>;
  timeoutMs: number;
  /** Typed before the first block. */
  before?: string;
}

/**
 * Types blocks into one shell in the order of the page, as a reader would: commands are run, programs are saved under
 * the name that the page gives them. The first command that fails ends it, and the last line says in which block.
 */
export async function typeBlocks(blocks: readonly Block[], options: TypingOptions): Promise<Typed> {
  const { cwd, env, replacements, timeoutMs, before = '' } = options;
  const here = (text: string) =>
    [...replacements].reduce((changed, [documented, real]) => changed.replaceAll(documented, real), text);
  const parts = blocks.map((block) => {
    const code = here(block.code);
    const act =
      block.saveAs === undefined ? code : `cat > ${block.saveAs} <<'END_OF_BLOCK'\n${code}END_OF_BLOCK\n`;
    return `BLOCK='${nameOf(block)}'\n${act}`;
  });
  const head = `set -e -o pipefail\nBLOCK='the beginning'\ntrap 'echo "failed in $BLOCK: $BASH_COMMAND" >&2' ERR\n`;
  return run(`${head}${before}\n${parts.join('')}`, { cwd, env, timeoutMs });
}

async function run(
  script: string,
  { cwd, env, timeoutMs }: { cwd: string; env: Record<string, string>; timeoutMs: number },
): Promise<Typed> {
  const folder = mkdtempSync(join(tmpdir(), 'payassent-typed-'));
  const file = join(folder, 'typed.sh');
  writeFileSync(file, script);
  // A group of its own: what a guide leaves running in the background ends with it.
  const shell = spawn('bash', [file], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const timer = setTimeout(() => {
    output += `\nnot done within ${timeoutMs} ms\n`;
    endGroup(shell.pid);
  }, timeoutMs);
  await once(shell, 'exit');
  clearTimeout(timer);
  endGroup(shell.pid);
  rmSync(folder, { recursive: true });
  return { code: shell.exitCode, output };
}

export function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Everything in it has ended by itself.
  }
}
