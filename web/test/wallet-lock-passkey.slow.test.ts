// Slow: locks and unlocks a wallet in a browser.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserReason, withoutBrowser } from './harness/browser.ts';
import { countingAuthenticator, lockCard } from './harness/lock.ts';
import { approve, type LockStage, type LockUser, lockStage, reject, statusOf } from './harness/lock-stage.ts';
import { expectSoundPage, openTab } from './harness/wallet.ts';

describe.skipIf(withoutBrowser)(`the lock of a wallet with a passkey${browserReason}`, () => {
  let stage: LockStage;
  let user: LockUser;

  beforeAll(async () => {
    stage = await lockStage();
    user = await stage.newUser();
  });
  afterAll(() => stage?.close());

  const approvedElsewhere = (page: Page) =>
    page.getByRole('img', { name: 'Payment link as a QR code' }).waitFor();

  it('approves only when the browser has recognised the person, and rejects without a check', async () => {
    const { page } = user;
    const authenticator = await countingAuthenticator(page);
    // One tap, offered once an agent is connected.
    await openTab(page, 'Inbox');
    await page.getByRole('button', { name: 'Lock with a passkey' }).click();
    await page.getByRole('button', { name: 'Lock with a passkey' }).waitFor({ state: 'detached' });
    await openTab(page, 'Security');
    const card = lockCard(page);
    await page.getByText('This wallet asks for a passkey.').waitFor();
    await expectSoundPage(page);
    const request = await stage.ask(user, '3');
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
    await stage.ask(user, '4');
    await reject(page);
    expect(await authenticator.asked()).toBe(0);

    // Off, then on again with the passkey of the decision key: one prompt.
    await openTab(page, 'Security');
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
    await stage.ask(user, '5');
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
