/** Lets the browser tests make their pictures, and copies those of the main pages to where the README shows them. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const report = path.join(root, 'web', 'test-report');
const target = path.join(root, 'docs', 'pictures');
const PICTURES = [
  'portal-overview',
  'portal-payment-request',
  'portal-recipient-evidence-light',
  'wallet-review',
  'wallet-review-phone-dark',
];

const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
const env = { ...process.env, PAYASSENT_PICTURES: 'on' };
const tests = spawnSync(process.execPath, [vitest, 'run', 'web/test'], { cwd: root, env, stdio: 'inherit' });
if (tests.status !== 0) process.exit(1);

const missing = PICTURES.filter((name) => !existsSync(path.join(report, `${name}.png`)));
if (missing.length > 0) {
  console.error(`The tests made no picture of ${missing.join(', ')}.`);
  process.exit(1);
}
mkdirSync(target, { recursive: true });
for (const name of PICTURES) copyFileSync(path.join(report, `${name}.png`), path.join(target, `${name}.png`));
