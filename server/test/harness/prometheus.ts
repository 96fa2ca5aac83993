import { spawnSync } from 'node:child_process';

const isThere = (program: string) => spawnSync(program, ['--version']).status === 0;

/** Tests that need them are left out, and listed as such, where Debian's package `prometheus` is not installed. */
export const HAS_PROMETHEUS = isThere('promtool') && isThere('prometheus');

/** What `promtool` says, and the code that it ends with. */
export function promtool(args: readonly string[], input = ''): { code: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  return { code: status, output: `${stdout}${stderr}` };
}
