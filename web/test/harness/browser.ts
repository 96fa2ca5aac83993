import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { findChromium, findWholeChromium, WHAT_TO_INSTALL } from '../../../scripts/chromium.mjs';

export const REPORT_FOLDER = fileURLToPath(new URL('../../test-report/', import.meta.url));
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Without these flags, Chromium keeps calling its vendor's services, which are unreachable here. */
const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** In the slow tests: every theme at every size, on pages with motion. */
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
  /** The page's complaints: policy violations, errors on the console, uncaught exceptions. */
  complaints: string[];
}

interface VisitorOptions {
  theme?: 'light' | 'dark';
  width?: number;
  height?: number;
  /** The languages that the browser requests. */
  locale?: string;
  /** 'block' keeps every request in the page, where `page.route` sees it, instead of the wallet's worker. */
  serviceWorkers?: 'allow' | 'block';
}

export interface TestBrowser {
  /** A person with a separate browser context: nothing is shared with another visitor. */
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

/** A browser with a persistent profile: private windows install nothing. */
export function ownProfile(folder: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, launchOptions([]));
}

/** One Chromium per set of flags for all test files of a worker; it ends with the process. */
const running = new Map<string, Promise<Browser>>();

function runningBrowser(moreFlags: readonly string[], path: string): Promise<Browser> {
  const key = [path, ...moreFlags].join(' ');
  const browser = running.get(key) ?? chromium.launch(launchOptions(moreFlags, path));
  running.set(key, browser);
  return browser;
}

/** For what headless Chromium lacks: notifications. */
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
        // The page shows the error of a call; the browser's own line about it is no complaint.
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
 * Records every press on all pages of this browser that are opened from now on. A click that hits nothing is not
 * recorded: the driver retries when the page moves under its pointer.
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
 * The violations that axe finds on the page as it is; the list must be empty on every page. A second theme only changes
 * colours, so the colour rules are enough for it.
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

/** On all pages of this browser that are opened from now on: layout shifts without any input. */
export async function followLayoutShifts(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    interface Shift extends PerformanceEntry {
      value: number;
      hadRecentInput: boolean;
      sources: ReadonlyArray<{ node: Node | null; previousRect: DOMRect; currentRect: DOMRect }>;
    }
    const shifts: Array<[value: number, what: string]> = [];
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[]) {
        if (hadRecentInput) continue;
        const what = sources.map(({ node, previousRect, currentRect }) => {
          const name = node instanceof Element ? `${node.tagName}.${node.className}` : 'text';
          return `${name} from ${Math.round(previousRect.top)} to ${Math.round(currentRect.top)}`;
        });
        shifts.push([value, `${value.toFixed(3)}: ${what.join(', ')}`]);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** The sum of all shifts since the document began, not only in its worst second. */
export async function expectStillPage(page: Page): Promise<void> {
  const shifts = await page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    for (let drawn = 0; drawn < 3; drawn += 1) await frame();
    return (globalThis as unknown as { shifts: Array<[number, string]> }).shifts;
  });
  const sum = shifts.reduce((all, [value]) => all + value, 0);
  expect(sum, shifts.map(([, what]) => what).join('\n')).toBeLessThan(0.1);
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
 * A picture of the page in both themes, for `npm run pictures`; the README shows some. An ordinary run takes none: a
 * picture asserts nothing, and on a busy machine it may take longer than the test around it.
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
