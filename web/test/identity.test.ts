import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserReason, startBrowser, type TestBrowser, withoutBrowser } from './harness/browser.ts';
import { PATIENT } from './harness/portal.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const filesBelow = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file));

describe('the icons', () => {
  it('come from one set: no page draws another one', () => {
    const sources = [...filesBelow('web/src'), 'home', 'portal', 'wallet', 'verify'].map((file) =>
      file.startsWith('web/') ? file : `web/${file}/index.html`,
    );
    const drawn = sources
      .filter((file) => /\.(tsx|html)$/.test(file))
      .filter((file) => /<svg(?![^>]*data-icon)[^>]*viewBox="0 0 24 24"/.test(read(file)));
    expect(drawn).toEqual(['web/src/ui/icon.tsx']);
    expect(read('web/src/ui/icon.tsx')).not.toMatch(/\bd[:=]/);
    const home = read('server/pages/app/home/index.html');
    expect(home).not.toContain('data-icon');
    expect(home.match(/<svg class="door-icon"[^>]*><(?:path|rect)/g)).toHaveLength(3);
  });
});

describe('the typeface', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ jobs: false });
  });
  afterAll(() => service?.close());

  it('is served by the service itself, kept by browsers, with its licence next to it', async () => {
    const { text } = await service.call('GET', '/docs');
    const styles = await service.call('GET', /\/web\/assets\/docs-[\w-]+\.css/.exec(text)?.[0] ?? '');
    const files = [...styles.text.matchAll(/url\("([^"]+)"\)/g)].map(([, url = '']) => url);
    expect(files).toHaveLength(2);
    const wallet = (await service.call('GET', '/wallet')).text;
    for (const file of files) {
      const { status, headers } = await service.call('GET', file);
      expect([status, headers.get('content-type')], file).toEqual([200, 'font/woff2']);
      expect(headers.get('cache-control')).toContain('immutable');
      // Named in the page, so that the worker caches it for use without a network.
      expect(wallet).toContain(file);
    }
    const notices = await service.call('GET', '/web/notices.txt');
    expect(notices.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    for (const words of ['SIL OPEN FONT LICENSE Version 1.1', 'Public Sans', 'Lucide', 'MIT License'])
      expect(notices.text).toContain(words);
  });

  describe.skipIf(withoutBrowser)(`in a browser${browserReason}`, PATIENT, () => {
    let browser: TestBrowser;
    beforeAll(async () => {
      browser = await startBrowser();
    });
    afterAll(() => browser?.close());

    it.each([
      ['/wallet', 390],
      ['/portal', 1280],
      ['/docs/guides/webhooks', 1280],
      ['/docs/guides/webhooks', 412],
      ['/', 390],
    ])('arrives after %s is shown, and moves next to nothing at %i px', async (path, width) => {
      // Where the wallet's worker is ready before the typeface is requested, it fetches the file, unseen by the page.
      const { page, context, complaints } = await browser.visitor({
        width,
        height: 844,
        serviceWorkers: 'block',
      });
      const held: Array<() => Promise<void>> = [];
      await page.route('**/*.woff2', (route) => void held.push(() => route.continue()));
      await page.goto(`${service.url}${path}`, { waitUntil: 'commit' });
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expect.poll(() => held.length, { timeout: 60_000 }).toBe(1);
      await page.evaluate(() => {
        const moved: number[] = [];
        Object.assign(globalThis, { moved });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) moved.push((entry as unknown as { value: number }).value);
        }).observe({ type: 'layout-shift' });
      });
      const stands = await page.evaluate(async () => {
        const families = ['"Public Sans Stand-in"', '"Public Sans Stand-in Wide"'];
        const found = await Promise.allSettled(
          families.map((family) => document.fonts.load(`16px ${family}`)),
        );
        return found.some(({ status }) => status === 'fulfilled');
      });
      for (const release of held) await release();
      await expect
        .poll(() => page.evaluate(() => document.fonts.check('16px "Public Sans"')), { timeout: 60_000 })
        .toBe(true);
      const moved = await page.evaluate(async () => {
        await document.fonts.ready;
        const frame = () => new Promise((done) => requestAnimationFrame(done));
        for (let drawn = 0; drawn < 3; drawn += 1) await frame();
        return (globalThis as unknown as { moved: number[] }).moved.reduce((sum, value) => sum + value, 0);
      });
      const family = await page.evaluate(() => getComputedStyle(document.body).fontFamily);
      expect(family.startsWith('"Public Sans"')).toBe(true);
      // A machine without any of the common typefaces has none of known metrics either.
      if (stands) expect(moved).toBeLessThan(0.05);
      expect(complaints).toEqual([]);
      await context.close();
    });
  });
});
