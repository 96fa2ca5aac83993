// Slow: signs and submits in a browser.

import { usableAgent } from '@payassent/proof/people/agents';
import type { ConnectionClient } from '@payassent/sdk';
import { Keypair } from '@stellar/stellar-base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserReason, picture, type Visitor, withoutBrowser } from './harness/browser.ts';
import type { TestHorizon } from './harness/horizon.ts';
import { type StellarStage, stellarStage } from './harness/stellar-stage.ts';
import {
  agentClient,
  enrolInBrowser,
  expectSoundPage,
  openTab,
  pairInBrowser,
  plainStorage,
} from './harness/wallet.ts';

describe.skipIf(withoutBrowser)(`a wallet with a test key${browserReason}`, () => {
  let stage: StellarStage;
  let horizon: TestHorizon;
  let user: Visitor;
  let connection: ConnectionClient;

  beforeAll(async () => {
    stage = await stellarStage();
    const { service, browser, merchant } = stage;
    horizon = stage.horizon;
    const agent = agentClient(service, await usableAgent(service, merchant));
    user = await browser.visitor();
    await enrolInBrowser(user.page, service.url, 'Laptop');
    connection = (await pairInBrowser(user.page, agent)).client;
  });
  afterAll(() => stage?.close());

  const ask = async (amount: string): Promise<string> => {
    const input = { recipient_id: stage.payee.recipientId, payment: { amount } };
    const { payment_request } = await connection.paymentRequests.create(input);
    await openTab(user.page, 'Inbox');
    await user.page.getByRole('link', { name: `Review ${amount} XLM` }).click();
    return payment_request.request_id;
  };
  const stored = async (requestId: string) =>
    (await connection.paymentRequests.get(requestId)).payment_request;

  it('makes its key in the browser, and shows the seed only on request', async () => {
    const { page } = user;
    await openTab(page, 'Test key');
    await page.getByLabel('Secret seed of the test network').fill('no seed');
    await page.getByRole('button', { name: 'Use this seed' }).click();
    await page.getByText('A secret seed begins with S').waitFor();
    await page.evaluate(() => {
      crypto.subtle.importKey = () => Promise.reject(new DOMException('unknown kind of key'));
    });
    await page.getByLabel('Secret seed of the test network').fill(Keypair.random().secret());
    await page.getByRole('button', { name: 'Use this seed' }).click();
    await page.getByText('This browser could not make or keep the key.').waitFor();
    expect(await page.getByText('A secret seed begins with S').count()).toBe(0);
    await expectSoundPage(page);
    await page.getByRole('button', { name: 'Make a test key' }).click();
    horizon.refusal = 'busy';
    await page.getByRole('button', { name: 'Get lumens from the faucet' }).click();
    await page.getByText('The faucet gave nothing.').waitFor();
    await expectSoundPage(page);
    horizon.refusal = undefined;
    await page.getByRole('button', { name: 'Get lumens from the faucet' }).click();
    await page.getByText('10000.0000000 XLM').waitFor();
    horizon.isDown = true;
    await page.reload();
    await page.getByText('The test network cannot be reached.').waitFor();
    horizon.isDown = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('10000.0000000 XLM').waitFor();
    await expect.poll(() => page.content()).not.toMatch(/\bS[A-Z2-7]{55}\b/);
    await expectSoundPage(page);
    await picture(page, 'wallet-test-key');
    expect(await plainStorage(page)).not.toMatch(/\bS[A-Z2-7]{55}\b/);
  });

  it('signs what was pinned, sends it and reports signed, broadcasted and confirmed', async () => {
    const { page } = user;
    const requestId = await ask('12.5');
    await page.getByText('This browser will sign with its test key').waitFor();
    await expectSoundPage(page);
    await page.getByRole('button', { name: 'Approve 12.5 XLM' }).click();
    await page.getByText('Paid and confirmed.').waitFor();
    const request = await stored(requestId);
    expect(request.status).toBe('confirmed');
    expect(horizon.applied.get(request.tx_hash ?? '')).toEqual({
      destination: stage.address,
      amount: '12.5000000',
      memo: 'INV-7',
    });
    const events = await connection.paymentRequests.listEvents({ since: 0 });
    expect(events.events.map(({ status }) => status)).toEqual(['signed', 'broadcasted', 'confirmed']);
    await picture(page, 'wallet-confirmed');
  });

  it('stops honestly after signing while the network is away, and sends the same transaction later', async () => {
    const { page } = user;
    const requestId = await ask('2');
    horizon.isDown = true;
    await page.getByRole('button', { name: 'Approve 2 XLM' }).click();
    await page.getByText('Signed, but not sent').waitFor();
    await expectSoundPage(page);
    await picture(page, 'wallet-signed-not-sent');
    const signed = await stored(requestId);
    expect(signed.status).toBe('signed');
    await page.reload();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Signed, but not sent').waitFor();
    horizon.isDown = false;
    await page.getByRole('button', { name: 'Try to send again' }).click();
    await page.getByText('Paid and confirmed.').waitFor();
    expect(await stored(requestId)).toMatchObject({ status: 'confirmed', tx_hash: signed.tx_hash });
    expect(horizon.received.filter((hash) => hash === signed.tx_hash)).toHaveLength(1);
  });

  it('never signs twice when the page is closed between signing and reporting', async () => {
    const { page } = user;
    const requestId = await ask('3');
    const reports: string[] = [];
    await page.route('**/v1/payment-requests/*/status', async (route) => {
      reports.push(route.request().postDataJSON().tx_hash);
      await route.abort();
    });
    await page.getByRole('button', { name: 'Approve 3 XLM' }).click();
    await page.getByText('The service cannot be reached.').first().waitFor();
    await page.unroute('**/v1/payment-requests/*/status');
    expect((await stored(requestId)).status).toBe('pending');
    await page.reload();
    await page.getByText('You approved this on this device, and it was interrupted').waitFor();
    await page.getByRole('button', { name: 'Approve 3 XLM' }).click();
    await page.getByText('Paid and confirmed.').waitFor();
    expect(new Set([...reports, (await stored(requestId)).tx_hash]).size).toBe(1);
    expect(horizon.received).toHaveLength(3);
    expect(new Set(horizon.received).size).toBe(3);
  });

  it('shows why the network refused a payment for now, and sends the same transaction later', async () => {
    const { page } = user;
    const requestId = await ask('5');
    horizon.refusal = 'tx_insufficient_balance';
    await page.getByRole('button', { name: 'Approve 5 XLM' }).click();
    await page.getByText('Signed, but refused for now').waitFor();
    await page.getByText('does not hold enough (tx_insufficient_balance)').waitFor();
    expect((await stored(requestId)).status).toBe('signed');
    horizon.refusal = undefined;
    await page.getByRole('button', { name: 'Try to send again' }).click();
    await page.getByText('Paid and confirmed.').waitFor();
    expect(new Set(horizon.received).size).toBe(4);
  });

  it('leaves the payment to another app when the customer prefers that', async () => {
    const { page, complaints } = user;
    await ask('4');
    await page.getByRole('button', { name: 'Pay with another app' }).click();
    await page.getByRole('img', { name: 'Payment link as a QR code' }).waitFor();
    expect(new Set(horizon.received).size).toBe(4);
    expect(
      complaints.filter((complaint) => !/ERR_(EMPTY_RESPONSE|FAILED|CONNECTION)/.test(complaint)),
    ).toEqual([]);
  });
});
