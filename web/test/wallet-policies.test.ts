import { type Autonomy, autonomy, draftPolicy, pay, readPolicy } from '@payassent/proof/people/autonomy';
import { succeed } from '@payassent/proof/people/merchants';
import { replacePayee, stellarAddress } from '@payassent/proof/people/payees';
import { deviceOf } from '@payassent/proof/people/wallets';
import { startService, type TestService } from '@payassent/proof/service/service';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  browserReason,
  startBrowser,
  type TestBrowser,
  type Visitor,
  withoutBrowser,
} from './harness/browser.ts';
import { expectSoundPage } from './harness/wallet.ts';

describe.skipIf(withoutBrowser)(`what a wallet shows before it consents${browserReason}`, () => {
  let service: TestService;
  let browser: TestBrowser;
  let user: Visitor;
  let world: Autonomy;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    world = await autonomy(service);
    user = await browser.visitor();
    const path = '/v1/wallet-devices/link-codes';
    const sent = { device: deviceOf(world.device) };
    const { link_code } = (await succeed(service.call('POST', path, sent))).body;
    await user.page.goto(`${service.url}/wallet`);
    await user.page.getByRole('tab', { name: 'Join by link code' }).click();
    await user.page.getByRole('textbox', { name: 'Link code' }).fill(link_code);
    await user.page.getByRole('button', { name: 'Join this wallet' }).click();
    await user.page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const move = async () => {
    world = { ...world, payee: await replacePayee(service, world.merchant, world.payee) };
  };
  const shown = (address: string, place: Page | Locator = user.page) =>
    place.locator('.address').filter({ hasText: address });

  it('prompts again when a payee has changed since the page was read, and accepts what it shows then', async () => {
    const { page } = user;
    const memo = 'SHOP-111';
    const allowlist = [
      { recipient_id: world.payee.recipientId },
      { address: stellarAddress(), memo },
      { address: stellarAddress() },
    ];
    const draft = await draftPolicy(service, world, { allowlist });
    await page.goto(`${service.url}/wallet/policies/${draft['id']}`);
    await page.getByText(memo).waitFor();
    await page.getByText('only without a memo').waitFor();
    const agree = page.getByLabel('I have read the limits and the payees');
    await page.locator('[data-fact=unasked]').getByText('Pays without asking you, up to').waitFor();
    expect(await page.getByRole('button', { name: 'Opt in to these limits' }).isDisabled()).toBe(true);
    await agree.check();
    await page.getByRole('button', { name: 'Opt in to these limits' }).click();
    await move();
    await page.getByRole('button', { name: 'Opt in', exact: true }).click();
    await page.getByText('Nothing was accepted').waitFor();
    await shown(world.payee.address).waitFor();
    expect(await agree.isChecked()).toBe(false);
    expect((await readPolicy(service, world, draft['id']))['status']).toBe('draft');
    await expectSoundPage(page);
    await agree.check();
    await page.getByRole('button', { name: 'Opt in to these limits' }).click();
    await page.getByRole('button', { name: 'Opt in', exact: true }).click();
    await page.getByText('active', { exact: true }).waitFor();
    expect(await page.getByText('Nothing was accepted').count()).toBe(0);
    const policy = await readPolicy(service, world, draft['id']);
    expect(policy['allowed_payees'][0].recipient_version_id).toBe(world.payee.recipientVersionId);
  });

  it('shows the changed payees of an active policy and accepts them in a separate question', async () => {
    const { page } = user;
    const before = world.payee;
    await page.getByRole('button', { name: 'Check the payees' }).click();
    await page.getByText('All payees are as you accepted them.').waitFor();
    await move();
    await page.getByRole('button', { name: 'Check the payees' }).click();
    await page.getByRole('heading', { name: 'A payee has changed' }).waitFor();
    const box = page.getByRole('region', { name: 'A payee has changed' });
    await shown(world.payee.address, box).waitFor();
    await box.getByText('changed', { exact: true }).waitFor();
    await shown(before.address).waitFor();
    expect(await shown(before.address, box).count()).toBe(0);
    await expectSoundPage(page);
    await page.getByLabel('I have read the changed payees').check();
    await page.getByRole('button', { name: 'Accept these payees' }).click();
    await page.getByRole('button', { name: 'Accept', exact: true }).click();
    // Behind an open dialog the box cannot be found either; what replaces it can.
    await page.getByRole('button', { name: 'Check the payees' }).waitFor();
    await box.waitFor({ state: 'detached' });
    expect((await pay(service, world, '1')).status).toBe(201);
  });

  it.each([
    ['agent', 'the agent', 'The agent typed it.'],
    ['operator', 'a team member of the merchant', 'A team member of the merchant typed it.'],
    ['user', 'you, in this wallet', 'You typed it in this wallet.'],
  ])('states plainly that %s typed a bare address', async (who, name, note) => {
    const { page } = user;
    const to = stellarAddress();
    const sent = {
      agent: { apiKey: world.apiKey },
      operator: { bearer: world.admin },
      user: { device: deviceOf(world.device) },
    }[who];
    if (who === 'agent') {
      const listed = await service.call('GET', '/v1/automation-policies', { apiKey: world.apiKey });
      const { id, version } = listed.body.data.items[0];
      const body = { version, allowlist: [{ address: to }] };
      const device = deviceOf(world.device);
      await succeed(service.call('PATCH', `/v1/automation-policies/${id}`, { device, body }));
    }
    const made = await succeed(pay(service, world, '2', { to, recipient_id: undefined }, sent));
    const { id, connection_id } = made.body.data;
    const place = new URLSearchParams({ kind: 'agent', connection: connection_id, id });
    await page.goto(`${service.url}/wallet/review?${place}`);
    await page.locator('[data-fact="typed-by"]').getByText(name).waitFor();
    await page.getByText(note).waitFor();
    await page.getByText('no verified domain').waitFor();
  });
});
