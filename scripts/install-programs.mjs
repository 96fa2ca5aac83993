/** Installs what the slow tests use and can do without: chain nodes and the whole Chromium. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

for (const [name, ...args] of [['chromium.mjs', '--whole'], ['chain-nodes.mjs']])
  execFileSync(process.execPath, [fileURLToPath(new URL(name, import.meta.url)), ...args], {
    stdio: 'inherit',
  });
