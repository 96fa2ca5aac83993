// Slow: waits for payments that a policy makes.
import { usableAgent } from '@payassent/proof/people/agents';
import { createKey } from '@payassent/proof/people/autonomy';
import { succeed } from '@payassent/proof/people/merchants';
import type { TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserReason, picture, type Visitor, withoutBrowser } from './harness/browser.ts';
import type { TestHorizon } from './harness/horizon.ts';
import { makeTestKey, proposePolicy, type StellarStage, stellarStage } from './harness/stellar-stage.ts';
import { agentClient, enrolInBrowser, expectSoundPage, openTab, pairInBrowser } from './harness/wallet.ts';

describe.skipIf(withoutBrowser)(`payments within an accepted policy${browserReason}`, () => {
  let stage: StellarStage;
  let service: TestService;
  let horizon: TestHorizon;
  let user: Visitor;
  let apiKey: string;
  let connectionId: string;

  beforeAll(async () => {
    stage = await stellarStage({ payeeName: 'Harbour Books' });
    const { browser, merchant } = stage;
    ({ service, horizon } = stage);
    const registered = await usableAgent(service, merchant, { name: 'Reading assistant' });
    ({ apiKey } = await createKey(service, merchant.session, registered.agentId));
    user = await browser.visitor({ width: 390, height: 844 });
    await enrolInBrowser(user.page, service.url, 'Phone');
    const paired = await pairInBrowser(user.page, agentClient(service, registered));
    connectionId = paired.connection.connection_id;
    await makeTestKey(user.page);
  });
  afterAll(() => stage?.close());

  const propose = (cumulativeLimit: string) =>
    proposePolicy(stage, { connectionId, apiKey }, cumulativeLimit);
  const plan = (amount: string, idempotencyKey: string) => {
    const facts = { connection_id: connectionId, network: 'stellar_testnet', asset: 'XLM' };
    const body = { ...facts, amount, recipient_id: stage.payee.recipientId };
    return service.call('POST', '/v1/agent-payments', { apiKey, body, idempotencyKey });
  };

  it('are proposed with a badge, and a proposal can be declined', async () => {
    const { page } = user;
    await propose('20');
    await openTab(page, 'Inbox');
    await page.getByText('A policy is proposed to you.').waitFor();
    await page.getByRole('link', { name: 'More 1 waiting' }).click();
    await page.getByRole('link', { name: 'Policies 1 waiting' }).click();
    await expectSoundPage(page);
    await page.getByRole('link', { name: 'Review limits' }).click();
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
    await page.getByText('stopped', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'More', exact: true }).waitFor();
  });

  it('are signed, sent and reported by the open wallet, with what is left', async () => {
    const { page } = user;
    const id = await propose('150');
    await page.goto(`${service.url}/wallet/policies/${id}`);
    await page.getByLabel('I have read the limits and the payees').check();
    await page.getByRole('button', { name: 'Opt in to these limits' }).click();
    await page.getByRole('button', { name: 'Opt in', exact: true }).click();
    await page.getByText('active', { exact: true }).waitFor();
    await openTab(page, 'Inbox');
    await succeed(plan('1.5', 'first-of-the-policy'));
    const row = page.getByRole('article', { name: '1.5 XLM' });
    await row.getByText('Paid automatically, 148.5 XLM left').waitFor({ timeout: 60_000 });
    await row.getByText('reported as paid').waitFor();
    expect([...horizon.applied.values()]).toEqual([
      { destination: stage.address, amount: '1.5000000', memo: 'INV-7' },
    ]);
    await expectSoundPage(page);
    await picture(page, 'wallet-paid-automatically');
    // Not again after a reload.
    await page.reload();
    await row.getByText('Paid automatically, 148.5 XLM left').waitFor();
    expect(horizon.received).toHaveLength(1);
  });

  it('do not include a payment far above the earlier ones, although the policy covers it', async () => {
    const { page } = user;
    const far = await succeed(plan('8', 'far-above'));
    await openTab(page, 'Inbox');
    await page.getByRole('link', { name: 'Review 8 XLM' }).click();
    await page.getByText('The amount is at least 5 times the highest one so far (1.5 XLM).').waitFor();
    await page.getByText('First tick the box in the red warning.').waitFor();
    await expectSoundPage(page);
    expect(horizon.received).toHaveLength(1);
    const { id } = far.body.data;
    const { body } = await service.call('GET', `/v1/agent-payments/${id}`, { apiKey });
    expect(body.data.status).toBe('intent_created');
    await openTab(page, 'Inbox');
  });

  it('stop with one tap, on this device and in the service', async () => {
    const { page, complaints } = user;
    const row = page.getByRole('article', { name: '1.5 XLM' });
    await row.getByRole('button', { name: 'Pause automatic payments' }).click();
    await row.getByText('Paused', { exact: true }).waitFor();
    const statuses = async () => {
      const answer = await service.call('GET', '/v1/automation-policies', { apiKey });
      return answer.body.data.items.map(({ status }: { status: string }) => status);
    };
    await expect.poll(statuses, { timeout: 60_000 }).not.toContain('active');
    expect((await plan('1', 'after-the-pause')).status).toBe(403);
    expect(complaints).toEqual([]);
  });
});
