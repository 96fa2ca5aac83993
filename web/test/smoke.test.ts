import { mkdirSync, writeFileSync } from 'node:fs';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  browserReason,
  expectSoundPage,
  REPORT_FOLDER,
  startBrowser,
  type TestBrowser,
  withoutBrowser,
} from './harness/browser.ts';

const BUDGET_BYTES = 150_000;

describe.skipIf(withoutBrowser)(`the pages${browserReason}`, () => {
  let service: TestService;
  let browser: TestBrowser;
  const loading: Record<string, { compressedBytes: number; usableAfterMs: number }> = {};
  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
  });
  afterAll(async () => {
    mkdirSync(REPORT_FOLDER, { recursive: true });
    writeFileSync(`${REPORT_FOLDER}loading.json`, `${JSON.stringify(loading, null, 2)}\n`);
    await browser?.close();
    await service?.close();
  });

  it.each(['/portal', '/wallet'])('%s starts within its budget and without a complaint', async (path) => {
    const { page, complaints } = await browser.visitor();
    await page.goto(`${service.url}${path}`);
    await page.locator('h1[tabindex]').waitFor();
    const usableAfterMs = Math.round(await page.evaluate(() => performance.now()));
    const compressedBytes = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter((entry) => entry.name.includes('/web/'))
        .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
    );
    // The time until a page is usable depends on the machine, so it is only reported. The size of a page does not.
    loading[path] = { compressedBytes, usableAfterMs };
    expect(compressedBytes).toBeGreaterThan(50_000);
    expect(compressedBytes).toBeLessThan(BUDGET_BYTES);
    await expectSoundPage(page);
    expect(complaints).toEqual([]);
  });
});
