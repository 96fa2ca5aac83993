import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const modules = fileURLToPath(new URL('../../../node_modules/', import.meta.url));

export type Runtime = { found: true; path: string } | { found: false; reason: string };

const CPU: Partial<Record<string, { bun: string; deno: string }>> = {
  x64: { bun: 'x64', deno: 'x64' },
  arm64: { bun: 'aarch64', deno: 'arm64' },
};

/**
 * Both come from npm as one package per platform. Where install scripts run, Bun's moves the binary next to itself;
 * where they do not, the binary is still in the platform's package.
 */
function candidates(name: 'bun' | 'deno'): string[] {
  const cpu = CPU[process.arch];
  if (!cpu) return [];
  const { platform } = process;
  if (name === 'bun') {
    const system = platform === 'win32' ? 'windows' : platform;
    const packages = [`bun-${system}-${cpu.bun}`, `bun-${system}-${cpu.bun}-musl`];
    return [
      ...packages.map((entry) => join('@oven', entry, 'bin', platform === 'win32' ? 'bun.exe' : 'bun')),
      join('bun', 'bin', 'bun.exe'),
    ];
  }
  const packages = [`${platform}-${cpu.deno}`, `${platform}-${cpu.deno}-glibc`];
  return packages.map((entry) => join('@deno', entry, platform === 'win32' ? 'deno.exe' : 'deno'));
}

export async function findRuntime(name: 'bun' | 'deno'): Promise<Runtime> {
  for (const candidate of candidates(name)) {
    const path = join(modules, candidate);
    if (!existsSync(path)) continue;
    // Without its install script Bun leaves a placeholder of the same name; it does not run.
    const works = await promisify(execFile)(path, ['--version'], {
      cwd: dirname(path),
      timeout: 20_000,
    }).then(
      () => true,
      () => false,
    );
    if (works) return { found: true, path };
  }
  return { found: false, reason: `npm offers no ${name} that runs on ${process.platform} ${process.arch}` };
}
