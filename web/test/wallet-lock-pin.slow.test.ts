// Slow: locks and unlocks a wallet in a browser, over reloads and pages.
import { succeed } from '@payassent/proof/people/merchants';
import { Keypair } from '@stellar/stellar-base';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserReason, withoutBrowser } from './harness/browser.ts';
import {
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
import {
  approve,
  type LockStage,
  type LockUser,
  lockStage,
  PATIENCE_MS,
  reject,
  roundsAskedFor,
  statusOf,
} from './harness/lock-stage.ts';
import { makeTestKey, proposePolicy } from './harness/stellar-stage.ts';
import { expectSoundPage, openTab } from './harness/wallet.ts';

const PIN = '285719';
const WRONG = '285718';

describe.skipIf(withoutBrowser)(`the lock of a wallet with a PIN${browserReason}`, () => {
  let stage: LockStage;
  let user: LockUser;
  let seed: string;

  beforeAll(async () => {
    stage = await lockStage();
    user = await stage.newUser();
    await makeTestKey(user.page);
  });
  afterAll(() => stage?.close());

  const paid = (page: Page) => page.getByText('Paid and confirmed.').waitFor();
  const setPinLimit = async (page: Page, above: string) => {
    await openTab(page, 'Security');
    const card = lockCard(page);
    await card.getByLabel('Lock before').selectOption('above');
    await card.getByLabel(/^Above this much XLM/).fill(above);
    await card.getByRole('button', { name: 'Set this lock' }).click();
    await unlock(page, PIN);
    await card.getByText('The lock is set.').waitFor();
  };
  const policyStatus = async (id: string) => {
    const { apiKey } = user;
    return (await succeed(stage.service.call('GET', `/v1/automation-policies/${id}`, { apiKey }))).body.data
      .status;
  };
  const optIn = async (page: Page) => {
    await page.getByRole('button', { name: 'Opt in to these limits' }).click();
    await page.getByRole('button', { name: 'Opt in', exact: true }).click();
  };

  it('is not there before it is chosen: no PIN is required, and the key in the storage is readable', async () => {
    const { page } = user;
    await page.getByRole('button', { name: 'Show the secret seed' }).click();
    await page.getByRole('button', { name: 'Show it' }).click();
    const shown = page.locator('code').filter({ hasText: /^S[A-Z2-7]{55}$/ });
    seed = Keypair.fromSecret((await shown.textContent()) ?? '')
      .rawSecretKey()
      .toString('hex');
    expect(await storedBytes(page)).toContain(seed);
    await stage.ask(user, '11');
    await approve(page);
    await paid(page);
  });

  it('takes digits only, refuses what is short, easy or mistyped, and then leaves no usable key in the storage', async () => {
    const { page } = user;
    await openTab(page, 'Security');
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
    await card.getByLabel('Lock before').selectOption('above');
    await expectSoundPage(page);
    await setPin(page, PIN, '10');
    await page.getByText('This wallet asks for a PIN.').waitFor();
    const stored = await storedBytes(page);
    expect(stored).not.toContain(seed);
    expect(stored).not.toContain(Buffer.from(PIN).toString('hex'));
    // What OWASP advises for PBKDF2 with SHA-256.
    expect(await roundsAskedFor(page)).toBeGreaterThanOrEqual(600_000);
  });

  it('lets payments up to the limit through, and requires the PIN above it; turning away or a wrong PIN approves nothing', async () => {
    const { page } = user;
    await stage.ask(user, '10');
    await approve(page);
    await paid(page);

    const request = await stage.ask(user, '10.01');
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
    await page.getByText('9 attempts are left. After that the test key in this browser is erased').waitFor();
    await expectSoundPage(page);
    expect(await statusOf(user, request)).toBe('pending');
    expect(stage.horizon.applied.size).toBe(2);
    await unlock(page, PIN);
    await paid(page);
    expect(await statusOf(user, request)).toBe('confirmed');
  });

  it('requests every payment where no limit is set, and never before a rejection', async () => {
    const { page } = user;
    const request = await stage.ask(user, '5000');
    await reject(page);
    expect(await statusOf(user, request)).toBe('rejected');

    await openTab(page, 'Security');
    const card = lockCard(page);
    await card.getByLabel('Lock before').selectOption('always');
    await card.getByRole('button', { name: 'Set this lock' }).click();
    await unlock(page, PIN);
    await card.getByText('The lock is set.').waitFor();
    const small = await stage.ask(user, '0.1');
    await approve(page);
    await turnAway(page);
    expect(await statusOf(user, small)).toBe('pending');
    await setPinLimit(page, '10');
  });

  it('requires the PIN before a seed is shown, a device is linked, a recovery code is made, and the lock is changed', async () => {
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

    await openTab(page, 'Security');
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

  it('requires the PIN once after a start before the key in this browser signs, also for automatic payments under a policy', async () => {
    const { page } = user;
    const id = await proposePolicy(stage, user, '50');
    await page.goto(`${stage.origin}/wallet/policies/${id}`);
    await page.getByLabel('I have read the limits and the payees').check();
    await optIn(page);
    await turnAway(page);
    expect(await policyStatus(id)).toBe('draft');
    await optIn(page);
    await unlock(page, PIN);
    await page.getByText('active', { exact: true }).waitFor();

    await page.goto(`${stage.origin}/wallet`);
    await page.getByText('Automatic payments wait for your PIN').waitFor();
    await expectSoundPage(page);
    const facts = { connection_id: user.connectionId, network: 'stellar_testnet', asset: 'XLM' };
    const body = { ...facts, amount: '7.5', recipient_id: stage.payee.recipientId };
    const before = stage.horizon.applied.size;
    const { apiKey } = user;
    await succeed(
      stage.service.call('POST', '/v1/agent-payments', { apiKey, body, idempotencyKey: 'under-a-pin' }),
    );
    await page.getByRole('link', { name: 'Review 7.5 XLM' }).waitFor();
    expect(stage.horizon.applied.size).toBe(before);
    await page.getByRole('button', { name: 'Unlock' }).click();
    await unlock(page, PIN);
    const row = page.getByRole('article', { name: '7.5 XLM' });
    await row.getByText('Paid automatically, 42.5 XLM left').waitFor();
    await row.getByText('reported as paid').waitFor();
    // One unlock serves a small payment as well.
    await stage.ask(user, '1');
    await approve(page);
    await paid(page);
    expect(stage.horizon.applied.size).toBe(before + 2);
  });

  it('holds in every page of the browser: one that was open before obeys, and what one has unlocked stays shut in the other', async () => {
    const other = await stage.newUser();
    await makeTestKey(other.page);
    const second = await other.context.newPage();
    second.setDefaultTimeout(PATIENCE_MS);
    await second.goto(`${stage.origin}/wallet`);
    await second.getByText('No pending requests').waitFor();
    await setPin(other.page, PIN);
    const request = await stage.ask({ ...other, page: second }, '3');
    await approve(second);
    await turnAway(second);
    expect(await statusOf(other, request)).toBe('pending');
    await approve(second);
    await unlock(second, PIN);
    await paid(second);
    // Off again, from the second page: both pages work without it, and the key is the browser's own again.
    await openTab(second, 'Security');
    await lockCard(second).getByLabel('Lock of this device').selectOption('off');
    await lockCard(second).getByRole('button', { name: 'Set this lock' }).click();
    await unlock(second, PIN);
    await second.getByText('The lock is off.').waitFor();
    await stage.ask(other, '4');
    await approve(other.page);
    await paid(other.page);
    expect(other.complaints).toEqual([]);
    await other.context.close();
  });

  it('pauses after wrong PINs over every reload, and after ten leaves only the way through a new enrolment', async () => {
    const { page } = user;
    const request = await stage.ask(user, '20');
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
    await reject(page);
    await openTab(page, 'Security');
    await page.getByRole('button', { name: 'Leave the wallet' }).click();
    await page.getByRole('button', { name: 'Leave it' }).click();
    await page.getByRole('tab', { name: 'New wallet' }).waitFor();
    expect(user.complaints).toEqual([]);
  });
});
