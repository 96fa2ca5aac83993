import { readKeys } from '@payassent/proof/log/public-log';
import { newDecisionKey, putKey } from '@payassent/proof/people/decision-keys';
import { finishedPayment } from '@payassent/proof/people/evidence';
import { succeed } from '@payassent/proof/people/merchants';
import { paymentStage } from '@payassent/proof/people/payments';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  browserReason,
  expectSoundPage,
  startBrowser,
  type TestBrowser,
  withoutBrowser,
} from './harness/browser.ts';

describe.skipIf(withoutBrowser)(`the page that verifies evidence${browserReason}`, () => {
  let service: TestService;
  let browser: TestBrowser;
  let bundle: string;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    const stage = await paymentStage(service);
    const key = newDecisionKey();
    await succeed(putKey(service, stage.device, key));
    bundle = (await finishedPayment(service, stage, key, 'confirmed')).bundle;
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  it.each(['localhost', '127.0.0.1'])('reads the published keys at %s', async (name) => {
    const { page, context, complaints } = await browser.visitor();
    const url = new URL('/verify', service.url);
    url.hostname = name;
    await page.goto(url.href);
    await page
      .getByLabel('Evidence bundle (a JSON file)')
      .setInputFiles({ name: 'evidence.json', mimeType: 'application/json', buffer: Buffer.from(bundle) });
    await page.getByText('Everything that is claimed holds.').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('shows every claim, names the broken one, and sends the evidence nowhere', async () => {
    const { page, complaints } = await browser.visitor();
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await page.goto(`${service.url}/verify`);
    const choose = (text: string) =>
      page
        .getByLabel('Evidence bundle (a JSON file)')
        .setInputFiles({ name: 'evidence.json', mimeType: 'application/json', buffer: Buffer.from(text) });
    await choose(`${bundle}\n`);
    await page.getByText('Everything that is claimed holds.').waitFor();
    await expect.poll(() => page.locator('li[data-status="holds"]').count()).toBe(11);
    await expect
      .poll(() => page.locator('li[data-claim="history"]').innerText())
      .toContain("• The events: the service's word");
    await expect.poll(() => page.locator('li[data-claim="decision"]').innerText()).toContain('Approved at ');
    await expectSoundPage(page);

    await choose(bundle.replace('"amount":"12.50"', '"amount":"12.51"'));
    await page.getByText('Something that is claimed does not hold.').waitFor();
    await expect
      .poll(() => page.locator('li[data-claim="facts"]').getAttribute('data-status'))
      .toBe('broken');

    // With stored keys, the page makes no call at all.
    await page.getByLabel('Keys of the service (optional)').setInputFiles({
      name: 'keys.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify({ keys: await readKeys(service.url) })),
    });
    const before = sent.length;
    await choose(bundle);
    await page.getByText('Everything that is claimed holds.').waitFor();
    expect(sent.slice(before)).toEqual([]);
    expect(sent.filter((call) => !call.startsWith('GET /web/'))).toEqual(
      expect.arrayContaining(['GET /verify', 'GET /.well-known/svc-keys.json']),
    );
    expect(sent.filter((call) => !call.startsWith('GET '))).toEqual([]);
    const policy = (await service.call('GET', '/verify')).headers.get('content-security-policy');
    expect(policy).toContain(`connect-src ${new URL(service.url).host}/.well-known/svc-keys.json`);
    expect(complaints).toEqual([]);
  });
});
