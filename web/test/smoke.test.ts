import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestService } from '../../server/test/harness/service.ts';
import {
  axeViolations,
  browserReason,
  startBrowser,
  type TestBrowser,
  withoutBrowser,
} from './harness/browser.ts';

describe.skipIf(withoutBrowser)(`the pages${browserReason}`, () => {
  let service: TestService;
  let browser: TestBrowser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  it.each(['/portal', '/wallet'])('%s starts without a complaint', async (path) => {
    const { page, complaints } = await browser.visitor();
    await page.goto(`${service.url}${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
