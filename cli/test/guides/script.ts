import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Block, nameOf } from './blocks.ts';
import { startGroup } from './processes.ts';

export interface TypingOptions {
  cwd: string;
  env: Record<string, string>;
  /** Documented addresses and their replacements here. */
  replacements: ReadonlyMap<string, string>;
  timeoutMs: number;
  /** Typed before the first block. */
  before?: string;
}

/**
 * Types blocks into one shell in the order of the page, as a reader would: commands are run, programs are saved under
 * the name that the page gives them. The first command that fails ends it, and the last line names the block.
 */
export async function typeBlocks(
  blocks: readonly Block[],
  { cwd, env, replacements, timeoutMs, before = '' }: TypingOptions,
): Promise<{ code: number | null; output: string }> {
  const parts = blocks.map((block) => {
    const code = [...replacements].reduce((text, [shown, real]) => text.replaceAll(shown, real), block.code);
    const act =
      block.saveAs === undefined ? code : `cat > ${block.saveAs} <<'END_OF_BLOCK'\n${code}END_OF_BLOCK\n`;
    return `BLOCK='${nameOf(block)}'\n${act}`;
  });
  const head = `set -e -o pipefail\nBLOCK='the beginning'\ntrap 'echo "failed in $BLOCK: $BASH_COMMAND" >&2' ERR\n`;
  const folder = mkdtempSync(join(tmpdir(), 'payassent-typed-'));
  const file = join(folder, 'typed.sh');
  writeFileSync(file, `${head}${before}\n${parts.join('')}`);
  const shell = startGroup(['bash', file], { cwd, env });
  const code = await shell.ended(timeoutMs);
  rmSync(folder, { recursive: true });
  return { code, output: shell.output() };
}
