/**
 * The browser of the browser tests: found in its usual place, or installed where this user may install packages. As a
 * program (as `npm run check` runs it) it installs it; imported, it only finds it. Chromium without its windows costs a
 * quarter less; notifications need the whole browser, which `--whole` installs too.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { installPackage } from './apt.mjs';

const HEADLESS = ['chromium-headless-shell'];
const WHOLE = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const ELSEWHERE = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

export const WHAT_TO_INSTALL =
  'No Chromium was found, so the tests of the pages cannot run. Install it (Debian: "apt-get install chromium") ' +
  'or set CHROMIUM_PATH to the program.';

function find(names) {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const candidates = [
    process.env.CHROMIUM_PATH,
    ...names.flatMap((name) => folders.map((folder) => path.join(folder, name))),
    ...ELSEWHERE,
  ];
  return candidates.find((candidate) => candidate && existsSync(candidate));
}

export function findChromium() {
  return find([...HEADLESS, ...WHOLE]);
}

export function findWholeChromium() {
  return find(WHOLE);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (findChromium() === undefined) installPackage('chromium-headless-shell', 'the tests of the pages');
  const needsWhole = process.argv.includes('--whole') || findChromium() === undefined;
  if (needsWhole && findWholeChromium() === undefined) installPackage('chromium', 'the tests of the pages');
  // A machine that cannot have a browser still runs everything else; the tests of the pages are reported as skipped.
  if (findChromium() === undefined) console.error(WHAT_TO_INSTALL);
}
