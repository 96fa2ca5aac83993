// Long: a team member works through most pages of the portal in a browser.
import {
  type Autonomy,
  activePolicy,
  autonomy,
  pay,
  report as reportPayment,
} from '@payassent/proof/people/autonomy';
import { succeed } from '@payassent/proof/people/merchants';
import { connect, enrolDevice } from '@payassent/proof/people/wallets';
import { answering, challengeIn, eventsAt, verified } from '@payassent/proof/people/webhooks';
import { startService, type TestService } from '@payassent/proof/service/service';
import { startHttpReceiver, type TestReceiver } from '@payassent/proof/surroundings/http-receiver';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  browserReason,
  expectNoSidewaysScrolling,
  picture,
  startBrowser,
  type TestBrowser,
  type Visitor,
  withoutBrowser,
} from './harness/browser.ts';
import { expectSoundPage, PATIENCE, PATIENT, signInBrowser } from './harness/portal.ts';
import { tabTo } from './harness/wallet.ts';

describe.skipIf(withoutBrowser)(`what a merchant operates in the portal${browserReason}`, PATIENT, () => {
  let service: TestService;
  let browser: TestBrowser;
  let receiver: TestReceiver;
  let world: Autonomy;
  let visitor: Visitor;
  let page: Page;

  beforeAll(async () => {
    [service, browser, receiver] = await Promise.all([startService(), startBrowser(), startHttpReceiver()]);
    world = await autonomy(service);
    visitor = await browser.visitor();
    page = visitor.page;
    await signInBrowser(visitor, service, world.merchant.session);
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all([service?.close(), receiver?.close()]);
  });

  const open = (path: string) => page.goto(`${service.url}/portal${path}`);
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  /** Causes an event for every endpoint: one more customer connects. */
  const causeEvent = async () => connect(service, world.agent, await enrolDevice(service));

  it('an endpoint is added, its secret shown once, and verified by the receiver’s own response', async () => {
    receiver.script({ kind: 'answer', status: 500 });
    await open('/webhooks');
    await page.getByRole('heading', { name: 'No endpoint yet' }).waitFor();
    await expectSoundPage(page);
    await page.getByRole('link', { name: 'Add endpoint' }).click();
    await page.getByLabel('Address').fill(`${receiver.url}/hook`);
    await page.getByLabel('Only what I choose').check();
    await page.getByRole('group', { name: 'Connections', exact: true }).getByLabel('All of these').check();
    await expectSoundPage(page);
    await page.getByRole('button', { name: 'Add endpoint' }).click();

    const secret = (await page.getByText(/^whsec_/).textContent()) ?? '';
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    await expectSoundPage(page);
    await page.getByRole('button', { name: 'Verify now' }).click();
    await page.getByText('The receiver responded with status 500.').waitFor();

    receiver.script(answering());
    await page.getByRole('button', { name: 'Verify now' }).click();
    await page.getByText('Verified: the endpoint is active').waitFor();
    const challenged = receiver.requests.at(-1);
    expect(challenged && verified(challenged, secret).type).toBe('webhook.verification');

    await page.getByRole('link', { name: 'Go to the endpoint' }).click();
    await heading('Webhook endpoint');
    await expect.poll(() => page.content(), PATIENCE).not.toContain(secret);
    await page.reload();
    await heading('Webhook endpoint');
    await expect.poll(() => page.content(), PATIENCE).not.toContain(secret);
  });

  it('a delivery is seen, sent again with the same id and bytes, and a test event arrives', async () => {
    await causeEvent();
    const row = page.getByRole('row').filter({ hasText: 'Connections: made' });
    await row.first().getByText('Delivered').waitFor();
    await row.first().getByText('HTTP 200').waitFor();
    await expectSoundPage(page);
    await picture(page, 'portal-webhook-endpoint');

    await row.first().getByText('HTTP 200').click({ force: true });
    const panel = page.getByRole('dialog', { name: 'Webhook delivery' });
    const shown = await panel.getByRole('region', { name: 'Payload' }).textContent();
    expect(JSON.parse(shown ?? '')).toEqual(JSON.parse(eventsAt(receiver)[0]?.text ?? ''));
    await expectSoundPage(page);
    await picture(page, 'portal-webhook-payload');
    await panel.getByRole('button', { name: 'Close' }).click();

    await row.first().getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Queued again').waitFor();
    await expect.poll(() => row.count(), PATIENCE).toBe(2);
    await expect.poll(() => eventsAt(receiver).length, PATIENCE).toBe(2);
    const [first, second] = eventsAt(receiver);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.text).toBe(first?.text);

    const challengesBefore = receiver.requests.filter(challengeIn).length;
    await page.getByRole('button', { name: 'Send a test event' }).click();
    await page.getByText('The receiver accepted the test event').waitFor();
    expect(receiver.requests.filter(challengeIn)).toHaveLength(challengesBefore + 1);
  });

  it('an endpoint whose queue is full is marked', async () => {
    await service.db`update webhook_endpoints set queue_full_since = ${service.clock.now()}`;
    await page.reload();
    await page.getByText('The queue of this endpoint is full.').waitFor();
    await expectSoundPage(page);
    await service.db`update webhook_endpoints set queue_full_since = null`;
    await page.reload();
    await heading('Webhook endpoint');
    expect(await page.getByText('The queue of this endpoint is full').count()).toBe(0);
  });

  it('a new secret signs next to the previous one, and an endpoint is disabled, enabled and deleted', async () => {
    await page.getByRole('button', { name: 'Make a new secret' }).click();
    await expectSoundPage(page);
    await page.getByRole('button', { name: 'Make it' }).click();
    const secret = (await page.getByText(/^whsec_/).textContent()) ?? '';
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await expect.poll(() => page.content(), PATIENCE).not.toContain(secret);
    await causeEvent();
    await expect.poll(() => eventsAt(receiver).length, PATIENCE).toBe(3);
    const signed = eventsAt(receiver).at(-1);
    expect(signed && verified(signed, secret).type).toBe('connection.created');
    expect(signed?.headers['webhook-signature']?.match(/\bv1,/g)).toHaveLength(2);

    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByRole('dialog').getByLabel('Everything, also what will be added later').check();
    await expectSoundPage(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Everything', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('button', { name: 'Disable it' }).click();
    await page.getByRole('button', { name: 'Enable again' }).click();
    await page.getByRole('button', { name: 'Send a test event' }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete it' }).click();
    await page.getByRole('heading', { name: 'No endpoint yet' }).waitFor();
    await page.getByRole('link', { name: 'All deliveries' }).click();
    await page.getByRole('row').filter({ hasText: 'Connections: made' }).first().waitFor();
    await expectSoundPage(page);
  });

  it('an API key is made with the keyboard alone, shown once, works, and is refused after it was revoked', async () => {
    await open('/access');
    await page.getByLabel('Name').waitFor();
    // Without a mouse: the heading has the focus, the form follows.
    await page.keyboard.press('Tab');
    await page.keyboard.type('Night shift');
    await expectSoundPage(page);
    await tabTo(page, 'Create the key');
    await page.keyboard.press('Enter');
    const key = (await page.getByText(/^svc_key_test_/).textContent()) ?? '';
    await succeed(service.call('GET', '/v1/agent-payments', { apiKey: key }));
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await expect.poll(() => page.content(), PATIENCE).not.toContain(key);

    const row = page.getByRole('row').filter({ hasText: 'Night shift' });
    await row.waitFor();
    await tabTo(page, 'Revoke');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('Night shift').waitFor();
    await tabTo(page, 'Revoke it');
    await page.keyboard.press('Enter');
    // While the dialog is open, nothing behind it can be found.
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await row.getByText('Revoked', { exact: true }).waitFor();
    expect(await row.getByRole('button').count()).toBe(0);
    expect((await service.call('GET', '/v1/agent-payments', { apiKey: key })).status).toBe(401);

    await page.getByRole('button', { name: 'Make an admin session' }).click();
    const token = (await page.getByText(/^svc_st_/).textContent()) ?? '';
    await succeed(service.call('GET', '/v1/agent-payments', { bearer: token }));
    await page.getByRole('button', { name: 'End it now' }).click();
    await page.getByText('The admin session has ended.').waitFor();
    expect((await service.call('GET', '/v1/agent-payments', { bearer: token })).status).toBe(401);
  });

  it('the tokens of an agent are bound to its key by a switch, and let go again', async () => {
    const read = async () => {
      const path = `/v1/agents/${world.agent.agentId}`;
      return (await service.call('GET', path, { session: world.merchant.session })).body.agent.require_proof;
    };
    await open(`/agents/${world.agent.agentId}`);
    await page.getByText('for anyone who holds them').waitFor();
    await page.getByRole('button', { name: 'Bind tokens to the key' }).click();
    await expectSoundPage(page);
    await page.getByRole('button', { name: 'Bind the tokens' }).click();
    await page.getByText('only together with its key').waitFor();
    expect(await read()).toBe(true);
    await page.getByRole('button', { name: 'Let tokens work alone' }).click();
    await page.getByRole('button', { name: 'Let them work alone' }).click();
    await page.getByText('for anyone who holds them').waitFor();
    expect(await read()).toBe(false);
  });

  it('the audit trail describes in words what was done, and filters', async () => {
    await page.getByRole('link', { name: 'Audit trail' }).click();
    for (const act of ['revoked an API key', 'deleted a webhook endpoint', 'made a new webhook secret'])
      await page.getByRole('cell', { name: act }).first().waitFor();
    await picture(page, 'portal-audit');
    await page.getByLabel('What happened').selectOption('api_key.created');
    await expect
      .poll(() => page.getByRole('cell', { name: 'deleted a webhook endpoint' }).count(), PATIENCE)
      .toBe(0);
    await page.getByRole('cell', { name: 'made an API key' }).first().waitFor();
    await expectSoundPage(page);
    await page.getByRole('button', { name: 'Show everything' }).click();
    await page.getByLabel('Only about this record').fill(world.connectionId);
    await page.getByRole('button', { name: 'Filter' }).click();
    await expect.poll(() => page.getByRole('cell', { name: 'made an API key' }).count(), PATIENCE).toBe(0);
    await page.getByRole('link', { name: world.connectionId }).first().click();
    await heading('Connection');
    await expectSoundPage(page);
  });

  it('a policy shows its limits, its consent and its usage as it grows, and can be paused and ended', async () => {
    const policy = await activePolicy(service, world);
    const paid = (await succeed(pay(service, world, '7.5'))).body.data;
    for (const status of ['signed', 'broadcasted', 'confirmed'])
      await succeed(reportPayment(service, world, paid.id, status));
    await succeed(pay(service, world, '2.5'));

    await open('/policies');
    const card = page.getByRole('article', { name: policy.id });
    await card.getByText('Paid: 7.5 XLM').waitFor();
    await card.getByText('Under way: 2.5 XLM').waitFor();
    await card.getByText('Left: 15 XLM').waitFor();
    await expectSoundPage(page);
    await card.getByRole('link', { name: 'Limits and payees' }).click();
    await page.getByText('One payment may be 10 XLM at most.').waitFor();
    await page.getByText('The customer accepted').waitFor();
    await expectSoundPage(page);
    await picture(page, 'portal-policy');

    await page.getByRole('button', { name: 'Take back' }).click();
    await page.getByRole('button', { name: 'Take it back' }).click();
    await page.getByText('Left: 17.5 XLM').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Pause it' }).click();
    await page.getByText('Paused: nothing is paid under it').waitFor();
    await page.getByRole('button', { name: 'End policy' }).click();
    await page.getByRole('button', { name: 'End it' }).click();
    await page.getByText('Ended for good.').waitFor();
    await open('/policies/payments');
    await page.getByRole('cell', { name: 'Reported as paid' }).waitFor();
    await expectSoundPage(page);
  });

  it('every page works at 360 px and nothing complained', async () => {
    const narrow = await browser.visitor({ width: 360, height: 740, theme: 'dark' });
    await signInBrowser(narrow, service, world.merchant.session);
    const paths = [
      '/',
      '/connections',
      `/connections/${world.connectionId}`,
      '/payment-requests',
      '/webhooks',
    ];
    paths.push(
      '/webhooks/new',
      '/webhooks/deliveries',
      '/access',
      '/policies',
      '/policies/payments',
      '/audit',
    );
    for (const path of paths) {
      await narrow.page.goto(`${service.url}/portal${path}`);
      await narrow.page.locator('h1[tabindex]').waitFor();
      await expect.poll(() => narrow.page.getByText('Loading …').count(), PATIENCE).toBe(0);
      await expectNoSidewaysScrolling(narrow.page);
    }
    expect(narrow.complaints).toEqual([]);
    expect(visitor.complaints).toEqual([]);
  });
});
