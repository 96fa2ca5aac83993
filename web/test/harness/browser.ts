import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { findChromium, findWholeChromium, WHAT_TO_INSTALL } from '../../../scripts/chromium.mjs';

export const REPORT_FOLDER = fileURLToPath(new URL('../../test-report/', import.meta.url));
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Without a network outside of this machine, Chromium would keep asking for its makers. */
const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** In the slow tests: pages move, and each is looked at in each theme at each size. */
const isThorough = process.env['PAYASSENT_SOUND_PAGES'] === 'every';
const MAKES_PICTURES = process.env['PAYASSENT_PICTURES'] === 'on';
const chromiumPath = findChromium();
const wholeChromiumPath = findWholeChromium();
/** For `describe.skipIf`: the reason is in the name of the group. */
export const withoutBrowser = chromiumPath === undefined;
export const browserReason = withoutBrowser ? ' (skipped: no Chromium)' : '';
export const withoutWholeBrowser = wholeChromiumPath === undefined;
export const wholeBrowserReason = withoutWholeBrowser ? ' (skipped: no Chromium with windows)' : '';

export interface Visitor {
  page: Page;
  context: BrowserContext;
  /** What the page complained about: policy violations, errors on the console, uncaught faults. */
  complaints: string[];
}

interface VisitorOptions {
  theme?: 'light' | 'dark';
  width?: number;
  height?: number;
  /** The languages that the browser asks for. */
  locale?: string;
  /** 'block' keeps every request with the page, where `page.route` sees it, and not with the wallet's worker. */
  serviceWorkers?: 'allow' | 'block';
}

export interface TestBrowser {
  /** A person with a browser of their own: nothing is shared with another visitor. */
  visitor(options?: VisitorOptions): Promise<Visitor>;
  close(): Promise<void>;
}

function launchOptions(moreFlags: readonly string[], executablePath = chromiumPath) {
  const isRoot = process.getuid?.() === 0;
  return {
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [...FLAGS, ...moreFlags, ...(isRoot ? ['--no-sandbox'] : [])],
  };
}

/** A browser that keeps things, as a person's own does: private windows install nothing. */
export function ownProfile(folder: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, launchOptions([]));
}

/** One Chromium for all test files of a worker; it ends with the process. One that was given flags is another. */
const running = new Map<string, Promise<Browser>>();

function runningBrowser(moreFlags: readonly string[], path: string): Promise<Browser> {
  const key = [path, ...moreFlags].join(' ');
  const browser = running.get(key) ?? chromium.launch(launchOptions(moreFlags, path));
  running.set(key, browser);
  return browser;
}

/** For what Chromium does not have without its windows: notifications. */
export function startWholeBrowser(): Promise<TestBrowser> {
  return startBrowser([], wholeChromiumPath);
}

export async function startBrowser(
  moreFlags: readonly string[] = [],
  path = chromiumPath,
): Promise<TestBrowser> {
  if (path === undefined) throw new Error(WHAT_TO_INSTALL);
  const browser = await runningBrowser(moreFlags, path);
  const contexts: BrowserContext[] = [];
  return {
    async visitor({
      theme = 'light',
      width = 1200,
      height = 900,
      locale = 'en-US',
      serviceWorkers = 'allow',
    } = {}) {
      const context = await browser.newContext({
        serviceWorkers,
        colorScheme: theme,
        reducedMotion: isThorough ? 'no-preference' : 'reduce',
        viewport: { width, height },
        locale,
        deviceScaleFactor: MAKES_PICTURES ? 2 : 1,
      });
      contexts.push(context);
      const page = await context.newPage();
      page.setDefaultTimeout(30_000);
      const complaints: string[] = [];
      page.on('console', (message) => {
        // A refused call is answered on the page; the browser's own line about it is no complaint.
        const isRefusedCall = /Failed to load resource: the server responded/.test(message.text());
        if (message.type() === 'error' && !isRefusedCall) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      await page.addInitScript(() => {
        addEventListener('securitypolicyviolation', (event) =>
          console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`),
        );
      });
      return { page, context, complaints };
    },
    async close() {
      await Promise.all(contexts.map((context) => context.close()));
    },
  };
}

/**
 * Names what a person presses on all pages of this browser that are opened from now on. A click beside everything does
 * nothing and is not one of them: the driver of the browser tries again when the page moves under its pointer.
 */
export async function noteClicks(context: BrowserContext): Promise<readonly string[]> {
  const pressed: string[] = [];
  await context.exposeFunction('noteClick', (name: string) => void pressed.push(name));
  await context.addInitScript(() => {
    const { noteClick } = globalThis as unknown as { noteClick(name: string): void };
    const note = ({ isTrusted, target }: Event) => {
      const control = (target as Element).closest('a, button, input, label, select, summary, textarea');
      if (isTrusted && control) noteClick(control.textContent?.trim() || control.tagName);
    };
    addEventListener('click', note, { capture: true });
  });
  return pressed;
}

/**
 * What axe finds wrong on the page as it stands; an empty list is what every page must have. A second theme changes
 * colours and nothing else: for it their rules are enough.
 */
export async function axeViolations(page: Page, rules: 'all' | 'colours' = 'all'): Promise<string[]> {
  // Past the page's policy, which rightly refuses foreign scripts: evaluated by the browser's own protocol. Once is
  // enough while the document stays.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  return page.evaluate(
    async (options) => {
      const { axe } = globalThis as unknown as {
        axe: {
          run(
            options: object,
          ): Promise<{ violations: Array<{ id: string; nodes: Array<{ html: string }> }> }>;
        };
      };
      const { violations } = await axe.run({ ...options, preload: false, resultTypes: ['violations'] });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
    },
    rules === 'all' ? {} : { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } },
  );
}

/** The page is usable at this width: nothing makes it wider than the window. */
export async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(content, 'the page is wider than the window').toBeLessThanOrEqual(window ?? 0);
}

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };
const NARROW = { width: 360, height: 740 };

const COMBINATIONS = isThorough
  ? ([
      [DESKTOP, 'light', 'all'],
      // Structure is the same in both themes; colours are what differs.
      [DESKTOP, 'dark', 'colours'],
      [PHONE, 'light', 'all'],
      [PHONE, 'dark', 'colours'],
    ] as const)
  : ([
      [DESKTOP, 'light', 'all'],
      [PHONE, 'dark', 'all'],
    ] as const);

/**
 * Every state of every page passes axe on a desktop and on a phone, in a light and in a dark theme, and does not scroll
 * sideways on a narrow phone.
 */
export async function expectSoundPage(page: Page): Promise<void> {
  const usual = page.viewportSize() ?? DESKTOP;
  const theme = await page.evaluate(() => document.documentElement.dataset['theme']);
  for (const [size, shown, rules] of COMBINATIONS) {
    await page.setViewportSize(size);
    await showTheme(page, shown);
    const found = await axeViolations(page, rules);
    expect(found, `axe at ${page.url()}, ${shown}, ${size.width} px`).toEqual([]);
  }
  await page.setViewportSize(NARROW);
  await expectNoSidewaysScrolling(page);
  await page.setViewportSize(usual);
  await showTheme(page, theme ?? 'light');
}

export function showTheme(page: Page, theme: string): Promise<void> {
  return page.evaluate((name) => {
    document.documentElement.dataset['theme'] = name;
  }, theme);
}

/**
 * A picture of the page in both themes, for `npm run pictures`; some stand in the README. An ordinary run takes none:
 * a picture asserts nothing, and on a busy machine the browser may need longer for it than for the test around it.
 */
export async function picture(page: Page, name: string): Promise<void> {
  if (!MAKES_PICTURES) return;
  mkdirSync(REPORT_FOLDER, { recursive: true });
  const shoot = (file: string) => page.screenshot({ path: `${REPORT_FOLDER}${file}.png`, fullPage: true });
  await shoot(name);
  const theme = await page.evaluate(() => document.documentElement.dataset['theme']);
  await showTheme(page, 'dark');
  await shoot(`${name}-dark`);
  await showTheme(page, theme ?? 'light');
}
