// Slow: crawls every page of the documentation in a browser.

import { startService, type TestService } from '@payassent/proof/service/service';
import { MACHINE_NAMES, STATE_MACHINES } from '@payassent/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../cli/src/registry.ts';
import {
  axeViolations,
  browserReason,
  expectNoSidewaysScrolling,
  picture,
  startBrowser,
  type TestBrowser,
  withoutBrowser,
} from './harness/browser.ts';

const CREATE = '/docs/reference/payment-requests#createPaymentRequest';

/** Every address on a page of this service, without its anchor. */
function linksIn(html: string): string[] {
  return [...html.matchAll(/(?:href|src)="(\/[^"]*|#[^"]*)"/g)].map(([, href = '']) => href);
}

describe('the documentation', { timeout: 600_000 }, () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ jobs: false });
  });
  afterAll(() => service?.close());

  it('leads from its first page to every guide and every call, and no link leads nowhere', async () => {
    const pages = new Map<string, string>();
    const open = ['/docs'];
    const anchors: string[] = [];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (pages.has(path)) continue;
      const { status, text, headers } = await service.call('GET', path);
      expect(status, path).toBe(200);
      const isPage = headers.get('content-type')?.startsWith('text/html') && path.startsWith('/docs');
      pages.set(path, isPage ? text : '');
      if (!isPage) continue;
      expect(text, path).not.toMatch(/<script(?![^>]*src=)|\sstyle=|\son\w+="/);
      for (const link of linksIn(text)) {
        const [target = '', anchor] = link.split('#');
        if (anchor !== undefined) anchors.push(`${target || path}#${anchor}`);
        open.push(target || path);
      }
    }
    const missing = anchors.filter((link) => {
      const [path = '', id = ''] = link.split('#');
      return pages.get(path) !== '' && !pages.get(path)?.includes(`id="${decodeURIComponent(id)}"`);
    });
    expect([...new Set(missing)]).toEqual([]);
    const { body } = await service.call('GET', '/openapi.json');
    const calls = Object.values(body.paths).flatMap((methods) =>
      Object.values(methods as Record<string, { operationId: string }>).map((call) => call.operationId),
    );
    const all = [...pages.values()].join('');
    expect(calls.filter((id) => !all.includes(`id="${id}"`))).toEqual([]);
    for (const guide of ['quick-start-agent', 'quick-start-merchant', 'quick-start-wallet', 'webhooks'])
      expect([...pages.keys()]).toContain(`/docs/guides/${guide}`);
  });

  it('redirects every address that a page had before to where it is now', async () => {
    const { MOVED } = (await import(new URL('../docs/moved.mjs', import.meta.url).href)) as {
      MOVED: Record<string, string>;
    };
    expect(Object.keys(MOVED).length).toBeGreaterThan(5);
    for (const [from, to] of Object.entries(MOVED)) {
      const moved = await service.call('GET', from);
      expect([moved.status, moved.headers.get('location')], from).toEqual([308, to]);
      expect((await service.call('GET', to)).status, to).toBe(200);
    }
  });

  it('is sent compressed, and again only when it has changed; its files are kept', async () => {
    for (const path of ['/docs', '/docs/guides/webhooks', '/openapi.json']) {
      const first = await service.call('GET', path, { headers: { 'accept-encoding': 'gzip' } });
      expect(first.headers.get('content-encoding'), path).toBe('gzip');
      const tag = first.headers.get('etag') ?? '';
      const again = await service.call('GET', path, { headers: { 'if-none-match': tag } });
      expect([again.status, again.text], path).toEqual([304, '']);
    }
    const { text } = await service.call('GET', '/docs');
    for (const asset of new Set(text.match(/\/web\/assets\/docs[\w-]*\.\w+/g)))
      expect((await service.call('GET', asset)).headers.get('cache-control'), asset).toContain('immutable');
    expect((await service.call('GET', '/docs/nothing')).status).toBe(404);
  });

  it('draws state machines, with every transition in a table', async () => {
    const { text } = await service.call('GET', '/docs/states');
    expect(text).not.toContain('stateDiagram');
    for (const name of MACHINE_NAMES) {
      const id = name.replaceAll('_', '-');
      const [, part = ''] = text.split(`<h2 id="${id}">`);
      const drawn = part.slice(0, part.search(/<h2 id=|<\/main>/));
      const { states, transitions } = STATE_MACHINES[name];
      const moves = new Set(transitions.map(({ from, to }) => `${from} ${to}`));
      // With more transitions than this, a page has a table instead of arrows.
      if (moves.size <= 16) {
        for (const state of states) expect(drawn, name).toContain(`>${state}</text>`);
        expect(drawn.match(/<path class="move"/g), name).toHaveLength(moves.size);
      }
      for (const { from, to } of transitions)
        expect(drawn, name).toContain(`<td><code>${from}</code></td><td><code>${to}</code></td>`);
    }
  });

  it('shows commands that exist', async () => {
    const file = new URL('../docs/samples.mjs', import.meta.url).href;
    const { COMMANDS: samples } = (await import(file)) as { COMMANDS: Record<string, string> };
    const known = Object.keys(COMMANDS);
    const unknown = Object.values(samples).filter(
      (sample) => !known.some((name) => sample === name || sample.startsWith(`${name} `)),
    );
    expect(unknown).toEqual([]);
    const { body } = await service.call('GET', '/openapi.json');
    const ids = JSON.stringify(body.paths);
    expect(Object.keys(samples).filter((id) => !ids.includes(`"operationId":"${id}"`))).toEqual([]);
  });
});

describe.skipIf(withoutBrowser)(
  `the documentation in a browser${browserReason}`,
  { timeout: 600_000 },
  () => {
    let service: TestService;
    let browser: TestBrowser;

    beforeAll(async () => {
      [service, browser] = await Promise.all([startService({ jobs: false }), startBrowser()]);
    });
    afterAll(async () => {
      await browser?.close();
      await service?.close();
    });

    it('finds guides and calls, and shows when there is nothing', async () => {
      const { page, context, complaints } = await browser.visitor({ width: 1280, height: 900 });
      await page.goto(`${service.url}/docs`);
      const search = page.getByLabel('Search the documentation');
      const index = `**${await search.getAttribute('data-index')}`;
      await page.route(index, (route) => route.abort());
      await search.fill('webhook');
      await page.getByText('The search could not be loaded.').waitFor();
      await page.unroute(index);
      // The browser's own line about the call that was cut off.
      complaints.length = 0;
      await search.fill('webhooks');
      await page.locator('#found').getByRole('link').first().waitFor();
      await search.fill('zebra');
      await page.getByText('Nothing found.').waitFor();
      await search.fill('withdraw request');
      await page
        .locator('#found')
        .getByRole('link', { name: /Take a request back/ })
        .waitFor();
      await search.fill('what confirmed means');
      await page
        .locator('#found')
        .getByRole('link', { name: /confirmed/i })
        .first()
        .click();
      await page.waitForURL('**/docs/guides/what-confirmed-means');
      // A link to a call from before each group had a page.
      await page.goto(`${service.url}/docs#createPaymentRequest`);
      await page.waitForURL(`**${CREATE}`);
      expect(complaints).toEqual([]);
      await context.close();
    });

    it('keeps the theme that was chosen, here and on the other pages', async () => {
      const { page, context } = await browser.visitor({ width: 390, height: 844 });
      const theme = () => page.evaluate(() => document.documentElement.dataset['theme']);
      await page.goto(`${service.url}/docs`);
      await expect.poll(() => theme()).toBe('light');
      await page.getByRole('button', { name: 'Dark' }).click();
      await expect.poll(() => theme()).toBe('dark');
      await page.goto(`${service.url}/docs/guides/webhooks`);
      await expect.poll(() => theme()).toBe('dark');
      await page.goto(`${service.url}/portal`);
      await page.getByRole('button', { name: 'Light' }).click();
      await page.goto(`${service.url}/docs`);
      await expect.poll(() => theme()).toBe('light');
      await context.close();
    });

    it('names every call by what it does, with samples to copy in three languages and a call that can be tried', async () => {
      const { page, context, complaints } = await browser.visitor({ width: 1280, height: 900 });
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.goto(`${service.url}${CREATE}`);
      const call = page.locator('#createPaymentRequest');
      const title = (await call.getByRole('heading').first().textContent()) ?? '';
      expect(title).not.toMatch(/^(GET|POST)|\//);
      const copied = async (language: string) => {
        await call.getByRole('button', { name: language, exact: true }).click();
        await call.locator(`[data-sample="${language}"] .copy`).click();
        await call.locator(`[data-sample="${language}"]`).getByText('Copied').waitFor();
        return page.evaluate(() => navigator.clipboard.readText());
      };
      expect(await copied('curl')).toMatch(/^curl -X POST http.*\/v1\/payment-requests/);
      expect(await copied('TypeScript')).toContain('await connection.paymentRequests.create({');
      expect(await copied('CLI')).toMatch(/^payassent request create /);
      await call.getByText('Try it').click();
      await call.getByRole('button', { name: 'Send' }).click();
      await call.getByText('401 Unauthorized').waitFor();
      await page.reload();
      await call.locator('[data-sample="CLI"]').waitFor();
      // The browser itself logs a response of 401.
      expect(complaints.filter((line) => !line.includes('401'))).toEqual([]);
      await context.close();
    });

    it('shows every table whole on a desktop', async () => {
      const { page, context } = await browser.visitor({ width: 1280, height: 844 });
      await page.goto(`${service.url}/docs`);
      const links = page.locator('#side a');
      const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
      expect(paths.length).toBeGreaterThan(30);
      const wide: string[] = [];
      for (const path of paths) {
        await page.goto(`${service.url}${path}`, { waitUntil: 'domcontentloaded' });
        const found = await page
          .locator('.table')
          .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length);
        if (found > 0) wide.push(`${path}: ${found}`);
      }
      expect(wide).toEqual([]);
      await context.close();
    });

    it.each([
      ['light', 390],
      ['light', 1280],
      ['dark', 390],
      ['dark', 1280],
    ] as const)('has no violation and breaks no name, %s at %i px', async (theme, width) => {
      const { page, context } = await browser.visitor({ theme, width, height: 844 });
      for (const path of [
        '/docs',
        '/docs/guides/webhooks',
        '/docs/errors',
        '/docs/states',
        '/docs/guides/authentication',
        '/docs/reference/payment-requests',
        '/docs/reference/webhook-events',
      ]) {
        await page.goto(`${service.url}${path}`);
        await page.locator('.copy:visible, .start').first().or(page.locator('h1')).first().waitFor();
        await expectNoSidewaysScrolling(page);
        const broken = await page.evaluate(() =>
          [...document.querySelectorAll('.member code, .table td:first-child code')].flatMap((cell) =>
            cell.getClientRects().length > 1 ? (cell.textContent ?? '') : [],
          ),
        );
        expect(broken, path).toEqual([]);
        expect(await axeViolations(page), path).toEqual([]);
        await picture(page, `docs-${path.split('/').at(-1)}-${theme}-${width}`);
      }
      await context.close();
    });
  },
);
