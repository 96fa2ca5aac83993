/**
 * Lets the browser tests make the pictures that the README shows, in both themes, and writes them as small files next
 * to it: `npm run pictures`.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium, WHAT_TO_INSTALL } from './chromium.mjs';
import { drawMovingPicture, MOVING_PICTURE } from './moving-picture.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const report = path.join(root, 'web', 'test-report');
const target = path.join(root, 'docs', 'pictures');
/** Each picture, and the test that makes it. */
const PICTURES = {
  'wallet-sheet-phone': 'web/test/approval-sheet.test.ts',
  'portal-overview': 'web/test/two-browsers.slow.test.ts',
  'portal-payment-request': 'web/test/two-browsers.slow.test.ts',
};
const NAMES = Object.keys(PICTURES).flatMap((name) => [name, `${name}-dark`]);
/** Every file that is written, for the test that compares the README with them. */
export const FILES = [...NAMES.map((name) => `docs/pictures/${name}.webp`), MOVING_PICTURE];

/** Twice as fine as it is shown. */
const SCREEN = { phone: 2 * 844, desktop: 2 * 900 };

/** One screen of it, as WebP. Chromium can write that, so no tool for pictures is needed. */
async function toWebp(browser, png, height) {
  const page = await browser.newPage();
  const source = `data:image/png;base64,${png.toString('base64')}`;
  const url = await page.evaluate(
    async ([source, height]) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = document.createElement('canvas');
      canvas.width = image.width;
      canvas.height = Math.min(image.height, height);
      canvas.getContext('2d').drawImage(image, 0, 0);
      return canvas.toDataURL('image/webp', 0.85);
    },
    [source, height],
  );
  await page.close();
  return Buffer.from(url.split(',')[1], 'base64');
}

async function main() {
  if (findChromium() === undefined) throw new Error(WHAT_TO_INSTALL);
  for (const name of NAMES) rmSync(path.join(report, `${name}.png`), { force: true });
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const env = { ...process.env, PAYASSENT_PICTURES: 'on' };
  const tests = [...new Set(Object.values(PICTURES))];
  const run = spawnSync(process.execPath, [vitest, 'run', ...tests], { cwd: root, env, stdio: 'inherit' });
  if (run.status !== 0) return 1;
  const { chromium } = createRequire(path.join(root, 'web', 'package.json'))('playwright-core');
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
  try {
    rmSync(target, { recursive: true, force: true });
    mkdirSync(target, { recursive: true });
    for (const name of NAMES) {
      const height = name.includes('-phone') ? SCREEN.phone : SCREEN.desktop;
      const webp = await toWebp(browser, readFileSync(path.join(report, `${name}.png`)), height);
      writeFileSync(path.join(target, `${name}.webp`), webp);
    }
  } finally {
    await browser.close();
  }
  drawMovingPicture();
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main();
