// Slow: fills every list of the portal.
import { usableAgent } from '@payassent/proof/people/agents';
import { succeed } from '@payassent/proof/people/merchants';
import { createPayee } from '@payassent/proof/people/payees';
import { type PaymentStage, paymentStage, postRequest } from '@payassent/proof/people/payments';
import { startService, type TestService } from '@payassent/proof/service/service';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserReason, picture, startBrowser, type TestBrowser, withoutBrowser } from './harness/browser.ts';
import { LONGEST_AMOUNT } from './harness/hostile.ts';
import { inspect, pageTitled } from './harness/onboarding.ts';
import { PATIENT, signInBrowser } from './harness/portal.ts';

const LONG_NAME = 'W'.repeat(200);

describe.skipIf(withoutBrowser)(`a portal with much in it${browserReason}`, PATIENT, () => {
  let service: TestService;
  let browser: TestBrowser;
  let stage: PaymentStage;
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    stage = await paymentStage(service);
    const visitor = await browser.visitor({ width: 360, height: 740 });
    ({ page, complaints } = visitor);
    await signInBrowser(visitor, service, stage.merchant.session);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const open = (path: string) => page.goto(`${service.url}/portal${path}`);

  it('is known to be set up, however much was added since', async () => {
    const { merchant } = stage;
    await succeed(postRequest(service, stage, { payment: { amount: '1' } }));
    // More than one page of payees, and many agents without a key.
    for (let made = 0; made < 51; made += 1) await createPayee(service, merchant, { name: `Draft ${made}` });
    for (let made = 0; made < 6; made += 1) {
      const body = {
        name: `Agent ${made}`,
        runtime: 'node',
        environment: 'test',
        allowed_scopes: ['payment.requests.read'],
      };
      const session = merchant.session;
      const { agent } = (await succeed(service.call('POST', '/v1/agents', { session, body }))).body;
      const change = { status: 'active', version: agent.version };
      await succeed(service.call('PATCH', `/v1/agents/${agent.agent_id}`, { session, body: change }));
    }
    await open('');
    await page.getByText('Everything is set up').waitFor();
  });

  it('keeps tables readable on a phone with the longest names and amounts', async () => {
    await usableAgent(service, stage.merchant, { name: LONG_NAME });
    await succeed(postRequest(service, stage, { payment: { amount: LONGEST_AMOUNT } }));
    await open('/agents');
    const name = page.getByRole('cell', { name: LONG_NAME });
    const cell = await name.boundingBox();
    expect(cell?.width).toBeGreaterThan(200);
    expect(cell?.height).toBeLessThan(500);
    await inspect(page, 'crowded-agents');
    await open('/payment-requests');
    const amount = await page.getByRole('cell', { name: LONGEST_AMOUNT }).boundingBox();
    expect(amount?.width).toBeLessThan(420);
    expect(amount?.height).toBeLessThan(500);
    await inspect(page, 'crowded-requests');
  });

  it('draws every digit of the scale on a phone', async () => {
    await page.route('**/v1/payment-requests?*', async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      const [one] = body.payment_requests;
      const many = Array.from({ length: 60 }, (_, index) => ({ ...one, request_id: `many-${index}` }));
      await route.fulfill({ response, json: { ...body, payment_requests: many } });
    });
    await open('');
    const chart = page.locator('svg.chart[data-size="wide"]');
    await chart.getByText('100', { exact: true }).waitFor();
    const [edge, texts] = await chart.evaluate((svg) => [
      svg.getBoundingClientRect().left,
      [...svg.querySelectorAll('text')].map((text) => text.getBoundingClientRect().left),
    ]);
    expect(Math.min(...texts)).toBeGreaterThanOrEqual(edge);
    await picture(page, 'portal-crowded-overview');
    await page.unrouteAll();
  });

  it('warns before a private key that was not saved is left behind', async () => {
    await open('/agents');
    await open(`/agents/${stage.agent.agentId}`);
    const make = page.getByRole('button', { name: 'Create the key' });
    await make.click();
    await page.getByRole('heading', { name: 'Download the private key now' }).waitFor();
    // Another key would replace it.
    await make.waitFor({ state: 'hidden' });
    const question = page.getByRole('dialog', { name: 'Leave without the private key?' });
    const stay = async () => {
      await question.getByRole('button', { name: 'Cancel' }).click();
      await question.waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: 'Download the private key' }).waitFor();
      expect(page.url()).toContain(stage.agent.agentId);
    };
    await page.getByRole('link', { name: 'All agents' }).click();
    await question.waitFor();
    await inspect(page, 'key-left');
    await stay();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await stay();
    await page.getByRole('link', { name: 'All agents' }).click();
    await question.getByRole('button', { name: 'Leave and lose the key' }).click();
    await pageTitled(page, 'Agents');

    // Again, with the browser's back button; after the download the key holds no one back.
    await page.getByRole('link', { name: 'Shopping agent' }).first().click();
    await make.click();
    await page.getByRole('heading', { name: 'Download the private key now' }).waitFor();
    await page.evaluate(() => history.back());
    await question.waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(page.url()).toMatch(/\/agents\/agt_/);
    await page.getByRole('button', { name: 'Download the private key' }).click();
    await page.getByRole('button', { name: 'I have the file: delete the key here' }).waitFor();
    await page.getByRole('link', { name: 'All agents' }).click();
    await pageTitled(page, 'Agents');
    expect(complaints).toEqual([]);
  });
});
