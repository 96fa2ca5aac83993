/**
 * Draws the wallet's icons as pictures, from the one drawing in `icon.svg`: browsers and phones install nothing that has
 * only vectors. Run by hand after a change of the drawing; the pictures are kept with the sources.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { findChromium, WHAT_TO_INSTALL } from './chromium.mjs';

const folder = fileURLToPath(new URL('../web/public/web/', import.meta.url));
const drawing = readFileSync(`${folder}icon.svg`, 'utf8');
const ground = /<rect[^>]*fill="(#[0-9a-f]+)"/.exec(drawing)?.[1];

/** `bleeds`: the system cuts the shape itself, so that the ground reaches the edges and the mark stays in the middle. */
const PICTURES = [
  { name: 'icon-192.png', size: 192 },
  { name: 'icon-512.png', size: 512 },
  { name: 'icon-maskable-512.png', size: 512, bleeds: 0.8 },
  { name: 'apple-touch-icon.png', size: 180, bleeds: 0.9 },
];

const executablePath = findChromium();
if (executablePath === undefined) throw new Error(WHAT_TO_INSTALL);
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
const browser = await chromium.launch({ executablePath, args });
const page = await browser.newPage();
for (const { name, size, bleeds } of PICTURES) {
  const inner = Math.round(size * (bleeds ?? 1));
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(
    `<body style="margin:0;display:grid;place-items:center;height:${size}px;background:${bleeds ? ground : 'none'}">` +
      drawing.replace('<svg ', `<svg width="${inner}" height="${inner}" `),
  );
  await page.screenshot({ path: `${folder}${name}`, omitBackground: bleeds === undefined });
}
await browser.close();
