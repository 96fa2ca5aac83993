import type { ConnectionClient } from '@payassent/sdk';
import { usableAgent } from '@payassent/test-kit/agents';
import { createKey, openWindow } from '@payassent/test-kit/autonomy';
import { succeed, type TestMerchant, verifiedMerchant } from '@payassent/test-kit/merchants';
import { activePayee, stellarAddress, type TestPayee } from '@payassent/test-kit/payees';
import { startService, type TestService } from '@payassent/test-kit/service';
import { Keypair } from '@stellar/stellar-base';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  browserReason,
  startBrowser,
  type TestBrowser,
  type Visitor,
  withoutBrowser,
} from './harness/browser.ts';
import { startHorizon, type TestHorizon } from './harness/horizon.ts';
import {
  addAuthenticator,
  endPause,
  enterPin,
  fillPin,
  lockCard,
  lockDialog,
  setPin,
  storedBytes,
  turnAway,
  unlock,
} from './harness/lock.ts';
import { agentClient, enrolInBrowser, expectSoundPage, openTab, pairInBrowser } from './harness/wallet.ts';

const PATIENCE_MS = 90_000;
const PIN = '285719';
const WRONG = '285718';

describe.skipIf(withoutBrowser)(`the lock of a wallet${browserReason}`, () => {
  let service: TestService;
  let horizon: TestHorizon;
  let browser: TestBrowser;
  let merchant: TestMerchant;
  let payee: TestPayee;
  let origin: string;
  const address = stellarAddress();

  beforeAll(async () => {
    horizon = await startHorizon([address]);
    [service, browser] = await Promise.all([
      startService({ env: { SVC_HORIZON_URL: horizon.url } }),
      startBrowser(),
    ]);
    // Passkeys belong to names, so the page is opened under one.
    origin = `http://localhost:${new URL(service.url).port}`;
    merchant = await verifiedMerchant(service);
    payee = await activePayee(service, merchant, { address, memo: 'INV-7' });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
    await horizon?.close();
  });

  interface User extends Visitor {
    connection: ConnectionClient;
    connectionId: string;
    apiKey: string;
  }

  const newUser = async (): Promise<User> => {
    const visitor = await browser.visitor();
    visitor.page.setDefaultTimeout(PATIENCE_MS);
    await enrolInBrowser(visitor.page, origin, 'Tablet');
    const registered = await usableAgent(service, merchant, { name: 'Assistant' });
    const { apiKey } = await createKey(service, merchant.session, registered.agentId);
    const paired = await pairInBrowser(visitor.page, agentClient(service, registered));
    const connectionId = paired.connection.connection_id;
    return { ...visitor, connection: paired.client, connectionId, apiKey };
  };
  const makeTestKey = async (page: Page) => {
    await openTab(page, 'Test key');
    await page.getByRole('button', { name: 'Make a test key' }).click();
    await page.getByRole('button', { name: 'Get lumens from the faucet' }).click();
    await page.getByText('10000.0000000 XLM').waitFor();
  };
  /** Opens the sheet of a new request without loading the page again. */
  const ask = async ({ page, connection }: User, amount: string): Promise<string> => {
    const input = { recipient_id: payee.recipientId, payment: { amount } };
    const { payment_request } = await connection.paymentRequests.create(input);
    await openTab(page, 'Inbox');
    await page.getByRole('link', { name: `Review ${amount} XLM` }).click();
    await page.getByRole('button', { name: `Approve ${amount} XLM` }).waitFor();
    return payment_request.request_id;
  };
  const approve = (page: Page) => page.getByRole('button', { name: /^Approve / }).click();
  const paid = (page: Page) => page.getByText('Paid and confirmed.').waitFor();
  const statusOf = async ({ connection }: User, requestId: string) =>
    (await connection.paymentRequests.get(requestId)).payment_request.status;
  const propose = async ({ connectionId, apiKey }: User): Promise<string> => {
    const body = {
      ...{ connection_id: connectionId, network: 'stellar_testnet', asset: 'XLM', single_tx_limit: '10' },
      ...{ cumulative_limit: '50', validity_window: openWindow(service.clock.now()) },
      allowlist: [{ recipient_id: payee.recipientId }],
    };
    return (await succeed(service.call('POST', '/v1/automation-policies', { apiKey, body }))).body.data.id;
  };
  const policyStatus = async ({ apiKey }: User, id: string) =>
    (await succeed(service.call('GET', `/v1/automation-policies/${id}`, { apiKey }))).body.data.status;
  const optIn = async (page: Page) => {
    await page.getByLabel('I have read the limits and the payees').check();
    await page.getByRole('button', { name: 'Opt in to these limits' }).click();
    await page.getByRole('button', { name: 'Opt in', exact: true }).click();
  };

  describe('with a PIN', () => {
    let user: User;
    let seed: string;

    beforeAll(async () => {
      user = await newUser();
      await makeTestKey(user.page);
    });

    it('is not there before it is chosen: nothing asks, and the key in the storage is readable', async () => {
      const { page } = user;
      await page.getByRole('button', { name: 'Show the secret seed' }).click();
      await page.getByRole('button', { name: 'Show it' }).click();
      const shown = page.locator('code').filter({ hasText: /^S[A-Z2-7]{55}$/ });
      seed = Keypair.fromSecret((await shown.textContent()) ?? '')
        .rawSecretKey()
        .toString('hex');
      expect(await storedBytes(page)).toContain(seed);
      await ask(user, '11');
      await approve(page);
      await paid(page);
    });

    it('takes digits only, refuses what is short, easy or mistyped, and then leaves no usable key in the storage', async () => {
      const { page } = user;
      await openTab(page, 'Devices');
      const card = lockCard(page);
      const save = card.getByRole('button', { name: 'Set this lock' });
      for (const [pin, again, problem] of [
        ['28571', '28571', 'A PIN has at least 6 digits.'],
        ['123456', '123456', 'This PIN is easy to guess.'],
        [PIN, WRONG, 'The two PINs differ.'],
      ] as const) {
        await fillPin(page, pin, again);
        await save.click();
        await card.getByText(problem).waitFor();
      }
      const field = card.getByLabel('New PIN');
      await field.fill('');
      await field.pressSequentially('a2b8-5');
      expect(await field.inputValue()).toBe('285');
      expect(await field.getAttribute('inputmode')).toBe('numeric');
      expect(await field.getAttribute('autocomplete')).toBe('off');
      expect(await field.getAttribute('type')).toBe('text');
      await card.getByText('After 10 wrong PINs').waitFor();
      await card.getByLabel('Ask before approving').selectOption('above');
      await expectSoundPage(page);
      await setPin(page, PIN, '10');
      await page.getByText('This wallet asks for a PIN.').waitFor();
      const stored = await storedBytes(page);
      expect(stored).not.toContain(seed);
      expect(stored).not.toContain(Buffer.from(PIN).toString('hex'));
    });

    it('lets payments up to the limit through, and asks above it; turning away or a wrong PIN approves nothing', async () => {
      const { page } = user;
      await ask(user, '10');
      await approve(page);
      await paid(page);

      const request = await ask(user, '10.01');
      await approve(page);
      await lockDialog(page).waitFor();
      await expectSoundPage(page);
      await page.keyboard.press('Escape');
      await lockDialog(page).waitFor({ state: 'detached' });
      const focused = await page.evaluate(() => document.activeElement?.textContent);
      expect(focused).toBe('Approve 10.01 XLM');
      await page.keyboard.press('Enter');
      await enterPin(page, WRONG);
      await page.getByText('This is not the PIN. Nothing was done.').waitFor();
      await page
        .getByText('9 attempts are left. After that the test key in this browser is erased')
        .waitFor();
      await expectSoundPage(page);
      expect(await statusOf(user, request)).toBe('pending');
      expect(horizon.applied.size).toBe(2);
      await unlock(page, PIN);
      await paid(page);
      expect(await statusOf(user, request)).toBe('confirmed');
    });

    it('asks for every payment where no limit is set, and never before a rejection', async () => {
      const { page } = user;
      const request = await ask(user, '5000');
      await page.getByRole('button', { name: 'Reject', exact: true }).click();
      await page.getByRole('button', { name: 'Reject payment' }).click();
      await page.getByText('rejected', { exact: true }).waitFor();
      expect(await statusOf(user, request)).toBe('rejected');

      await openTab(page, 'Devices');
      const card = lockCard(page);
      await card.getByLabel('Ask before approving').selectOption('always');
      await card.getByRole('button', { name: 'Set this lock' }).click();
      await unlock(page, PIN);
      await card.getByText('The lock is set.').waitFor();
      const small = await ask(user, '0.1');
      await approve(page);
      await turnAway(page);
      expect(await statusOf(user, small)).toBe('pending');
      await setPinLimit(page, '10');
    });

    const setPinLimit = async (page: Page, above: string) => {
      await openTab(page, 'Devices');
      const card = lockCard(page);
      await card.getByLabel('Ask before approving').selectOption('above');
      await card.getByLabel(/^Above this much XLM/).fill(above);
      await card.getByRole('button', { name: 'Set this lock' }).click();
      await unlock(page, PIN);
      await card.getByText('The lock is set.').waitFor();
    };

    it('asks before a seed is shown, a device is linked, a recovery code is made, and the lock is changed', async () => {
      const { page } = user;
      await openTab(page, 'Test key');
      const reveal = async () => {
        await page.getByRole('button', { name: 'Show the secret seed' }).click();
        await page.getByRole('button', { name: 'Show it' }).click();
      };
      await reveal();
      await turnAway(page);
      expect(await page.content()).not.toMatch(/\bS[A-Z2-7]{55}\b/);
      await reveal();
      await unlock(page, PIN);
      const shown = page.locator('code').filter({ hasText: /^S[A-Z2-7]{55}$/ });
      expect(
        Keypair.fromSecret((await shown.textContent()) ?? '')
          .rawSecretKey()
          .toString('hex'),
      ).toBe(seed);

      await openTab(page, 'Devices');
      const link = page.getByRole('button', { name: 'Link another device' });
      await link.click();
      await turnAway(page);
      expect(await page.getByText('svc_lc_').count()).toBe(0);
      await link.click();
      await unlock(page, PIN);
      await page.locator('code').filter({ hasText: 'svc_lc_' }).waitFor();

      await page.getByRole('button', { name: 'New recovery code' }).click();
      await page.getByRole('button', { name: 'Make a new code' }).last().click();
      await turnAway(page);
      expect(await page.getByRole('heading', { name: 'Keep your recovery code' }).count()).toBe(0);

      const card = lockCard(page);
      await card.getByLabel('Lock of this device').selectOption('off');
      await card.getByRole('button', { name: 'Set this lock' }).click();
      await turnAway(page);
      await page.reload();
      await page.getByText('This wallet asks for a PIN.').waitFor();
    });

    it('asks once after a start before the key in this browser signs, also what a policy pays by itself', async () => {
      const { page } = user;
      const id = await propose(user);
      await page.goto(`${origin}/wallet/policies/${id}`);
      await optIn(page);
      await turnAway(page);
      expect(await policyStatus(user, id)).toBe('draft');
      await page.getByRole('button', { name: 'Opt in to these limits' }).click();
      await page.getByRole('button', { name: 'Opt in', exact: true }).click();
      await unlock(page, PIN);
      await page.getByText('active', { exact: true }).waitFor();

      await page.goto(`${origin}/wallet`);
      await page.getByText('Automatic payments wait for your PIN').waitFor();
      await expectSoundPage(page);
      const facts = { connection_id: user.connectionId, network: 'stellar_testnet', asset: 'XLM' };
      const body = { ...facts, amount: '7.5', recipient_id: payee.recipientId };
      const before = horizon.applied.size;
      const { apiKey } = user;
      await succeed(
        service.call('POST', '/v1/agent-payments', { apiKey, body, idempotencyKey: 'under-a-pin' }),
      );
      await page.getByRole('link', { name: 'Review 7.5 XLM' }).waitFor();
      expect(horizon.applied.size).toBe(before);
      await page.getByRole('button', { name: 'Unlock' }).click();
      await unlock(page, PIN);
      const row = page.getByRole('article', { name: '7.5 XLM' });
      await row.getByText('Paid automatically, 42.5 XLM left').waitFor();
      await row.getByText('confirmed').waitFor();
      // One unlock serves a small payment as well.
      await ask(user, '1');
      await approve(page);
      await paid(page);
      expect(horizon.applied.size).toBe(before + 2);
    });

    it('holds in every page of the browser: one that was open before obeys, and what one has unlocked stays shut in the other', async () => {
      const other = await newUser();
      await makeTestKey(other.page);
      const second = await other.context.newPage();
      second.setDefaultTimeout(PATIENCE_MS);
      await second.goto(`${origin}/wallet`);
      await second.getByText('Nothing waits for you').waitFor();
      await setPin(other.page, PIN);
      const request = await ask({ ...other, page: second }, '3');
      await approve(second);
      await turnAway(second);
      expect(await statusOf(other, request)).toBe('pending');
      await approve(second);
      await unlock(second, PIN);
      await paid(second);
      // Off again, from the second page: both pages work without it, and the key is the browser's own again.
      await openTab(second, 'Devices');
      await lockCard(second).getByLabel('Lock of this device').selectOption('off');
      await lockCard(second).getByRole('button', { name: 'Set this lock' }).click();
      await unlock(second, PIN);
      await second.getByText('The lock is off.').waitFor();
      await ask(other, '4');
      await approve(other.page);
      await paid(other.page);
      expect(other.complaints).toEqual([]);
      await other.context.close();
    });

    it('pauses after wrong PINs over every reload, and after ten leaves only the way through a new enrolment', async () => {
      const { page } = user;
      const request = await ask(user, '20');
      await approve(page);
      for (const left of [9, 8, 7, 6, 5, 4]) {
        await endPause(page);
        await enterPin(page, WRONG);
        await page.getByText(`${left} attempts are left`).waitFor();
      }
      // Five minutes by now.
      await page.getByText(/^Wait \d:\d\d before the next attempt/).waitFor();
      await expectSoundPage(page);
      await page.reload();
      await approve(page);
      await page.getByText(/^Wait \d:\d\d before the next attempt/).waitFor();
      expect(await lockDialog(page).getByRole('button', { name: 'Confirm' }).isDisabled()).toBe(true);
      await lockDialog(page).getByLabel('PIN').fill(PIN);
      await page.keyboard.press('Enter');
      expect(await statusOf(user, request)).toBe('pending');
      for (const left of ['3 attempts are left', '2 attempts are left', 'One attempt is left']) {
        await endPause(page);
        await enterPin(page, WRONG);
        await page.getByText(left).waitFor();
      }
      await endPause(page);
      await enterPin(page, WRONG);
      await page.getByText('Too many wrong PINs').waitFor();
      await expectSoundPage(page);
      expect(await statusOf(user, request)).toBe('pending');
      // The counter set back opens nothing: what the PIN encrypted is gone.
      await endPause(page);
      expect(await storedBytes(page)).not.toContain(seed);
      await page.reload();
      await page.getByRole('button', { name: 'Reject', exact: true }).click();
      await page.getByRole('button', { name: 'Reject payment' }).click();
      await page.getByText('rejected', { exact: true }).waitFor();
      await openTab(page, 'Devices');
      await page.getByRole('button', { name: 'Leave the wallet' }).click();
      await page.getByRole('button', { name: 'Leave it' }).click();
      await page.getByRole('tab', { name: 'New wallet' }).waitFor();
      expect(user.complaints).toEqual([]);
    });
  });

  describe('with a passkey', () => {
    let user: User;

    beforeAll(async () => {
      user = await newUser();
    });

    const approvedElsewhere = (page: Page) =>
      page.getByRole('img', { name: 'Payment link as a QR code' }).waitFor();

    it('approves only when the browser has recognised the person, and rejects without asking', async () => {
      const { page } = user;
      const authenticator = await addAuthenticator(page);
      await openTab(page, 'Devices');
      const card = lockCard(page);
      await card.getByLabel('Lock of this device').selectOption('passkey');
      await expectSoundPage(page);
      await card.getByRole('button', { name: 'Set this lock' }).click();
      await page.getByText('This wallet asks for a passkey.').waitFor();
      const request = await ask(user, '3');
      await authenticator.recognise(false);
      await approve(page);
      await page.getByText('No passkey was used. Nothing was done.').waitFor();
      await expectSoundPage(page);
      expect(await statusOf(user, request)).toBe('pending');
      await authenticator.recognise(true);
      await page.getByRole('button', { name: 'Try again' }).click();
      await approvedElsewhere(page);
      expect(await statusOf(user, request)).toBe('signed');
      await authenticator.asked();
      await ask(user, '4');
      await page.getByRole('button', { name: 'Reject', exact: true }).click();
      await page.getByRole('button', { name: 'Reject payment' }).click();
      await page.getByText('rejected', { exact: true }).waitFor();
      expect(await authenticator.asked()).toBe(0);

      // Off, then on again with the passkey that signs the decisions: it is asked for once.
      await openTab(page, 'Devices');
      await card.getByLabel('Lock of this device').selectOption('off');
      await card.getByRole('button', { name: 'Set this lock' }).click();
      await page.getByText('The lock is off.').waitFor();
      expect(await authenticator.asked()).toBe(1);
      await page.getByRole('button', { name: 'Use a passkey' }).click();
      await page.getByRole('button', { name: 'Make a passkey' }).click();
      await page.locator('[data-alg=webauthn]').waitFor();
      await card.getByLabel('Lock of this device').selectOption('passkey');
      await card.getByRole('button', { name: 'Set this lock' }).click();
      await page.getByText('This wallet asks for a passkey.').waitFor();
      await ask(user, '5');
      await authenticator.asked();
      await approve(page);
      await approvedElsewhere(page);
      expect(await authenticator.asked()).toBe(1);
      await openTab(page, 'Devices');
      await page.getByRole('button', { name: 'Link another device' }).click();
      await page.locator('code').filter({ hasText: 'svc_lc_' }).waitFor();
      expect(await authenticator.asked()).toBe(1);
      expect(user.complaints).toEqual([]);
    });
  });
});
