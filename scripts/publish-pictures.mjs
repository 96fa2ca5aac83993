/** Copies the pictures of the main pages, as the browser tests made them, to where the README shows them. */
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

const missing = PICTURES.filter((name) => !existsSync(path.join(report, `${name}.png`)));
if (missing.length > 0) {
  console.error(`Not made yet: ${missing.join(', ')}. Run the browser tests first: npx vitest run web/test`);
  process.exit(1);
}
mkdirSync(target, { recursive: true });
for (const name of PICTURES) copyFileSync(path.join(report, `${name}.png`), path.join(target, `${name}.png`));
