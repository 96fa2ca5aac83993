/** Installs a Debian package where this user may; elsewhere it does nothing, and the caller checks again. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const PATIENCE_MS = 300_000;

export function installPackage(name, purpose) {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  console.error(`Installing ${name} for ${purpose} (apt-get install ${name}) …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args) =>
    spawnSync('apt-get', ['-q', '-y', ...args], { env, stdio: 'ignore', timeout: PATIENCE_MS });
  const install = ['install', '--no-install-recommends', name];
  if (apt(...install).status === 0) return;
  apt('update');
  apt(...install);
}
