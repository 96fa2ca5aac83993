// Slow: signs with another wallet in the browser.

import { usableAgent } from '@payassent/proof/people/agents';
import { stellarAddress } from '@payassent/proof/people/payees';
import type { ConnectionClient } from '@payassent/sdk';
import { Keypair, Networks, Operation, type Transaction, TransactionBuilder } from '@stellar/stellar-base';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { browserReason, picture, type Visitor, withoutBrowser } from './harness/browser.ts';
import type { TestHorizon } from './harness/horizon.ts';
import { type StellarStage, stellarStage } from './harness/stellar-stage.ts';
import { agentClient, enrolInBrowser, expectSoundPage, openTab, pairInBrowser } from './harness/wallet.ts';

type Signs = (transaction: Transaction) => string;

/** An extension that responds by Freighter's public protocol; each test chooses what it signs. */
async function installExtension(page: Page, answer: (request: Record<string, string>) => object) {
  await page.exposeFunction('extensionAnswers', answer);
  await page.addInitScript(() => {
    const { extensionAnswers } = globalThis as unknown as {
      extensionAnswers(request: object): Promise<object>;
    };
    addEventListener('message', async ({ source, data }) => {
      if (source !== window || data?.source !== 'FREIGHTER_EXTERNAL_MSG_REQUEST') return;
      const { messageId, ...request } = data;
      const result = await extensionAnswers(request);
      postMessage(
        { source: 'FREIGHTER_EXTERNAL_MSG_RESPONSE', messagedId: messageId, ...result },
        location.origin,
      );
    });
  });
}

describe.skipIf(withoutBrowser)(`a wallet with the extension Freighter${browserReason}`, () => {
  let stage: StellarStage;
  let horizon: TestHorizon;
  let user: Visitor;
  let connection: ConnectionClient;
  let passphrase: string;
  let signs: Signs;
  const owner = Keypair.random();
  const thief = stellarAddress();

  const honest: Signs = (transaction) => {
    transaction.sign(owner);
    return transaction.toXDR();
  };
  /** The same except for the destination of the money. */
  const swapped: Signs = (transaction) => {
    const { operations, memo, fee, timeBounds } = transaction;
    const [operation] = operations;
    if (operation?.type !== 'payment') throw new Error('the wallet made something else than a payment');
    const clone = TransactionBuilder.cloneFrom(transaction, { fee, memo, timebounds: timeBounds ?? {} })
      .clearOperations()
      .addOperation(
        Operation.payment({ destination: thief, asset: operation.asset, amount: operation.amount }),
      )
      .build();
    clone.sign(owner);
    return clone.toXDR();
  };
  /** The right bytes, under a signature that was made for others. */
  const forged: Signs = (transaction) => {
    const stolen = TransactionBuilder.fromXDR(swapped(transaction), Networks.TESTNET).signatures[0];
    if (stolen === undefined) throw new Error('not signed');
    transaction.addDecoratedSignature(stolen);
    return transaction.toXDR();
  };

  beforeAll(async () => {
    stage = await stellarStage({ accounts: [owner.publicKey()] });
    const { service, browser, merchant } = stage;
    horizon = stage.horizon;
    user = await browser.visitor({ width: 390, height: 844 });
    await installExtension(user.page, ({ type, transactionXdr = '', accountToSign }) => {
      if (type === 'REQUEST_CONNECTION_STATUS') return { isConnected: true };
      if (type === 'REQUEST_ACCESS') return { publicKey: owner.publicKey() };
      if (type === 'REQUEST_NETWORK_DETAILS') return { networkDetails: { networkPassphrase: passphrase } };
      expect(accountToSign).toBe(owner.publicKey());
      const transaction = TransactionBuilder.fromXDR(transactionXdr, Networks.TESTNET) as Transaction;
      try {
        return { signedTransaction: signs(transaction), signerAddress: owner.publicKey() };
      } catch {
        return { signedTransaction: '', apiError: { code: -4, message: 'The user rejected this request.' } };
      }
    });
    await enrolInBrowser(user.page, service.url, 'Laptop');
    const agent = agentClient(service, await usableAgent(service, merchant));
    connection = (await pairInBrowser(user.page, agent)).client;
  });
  beforeEach(() => {
    passphrase = Networks.TESTNET;
    signs = honest;
  });
  afterAll(() => stage?.close());

  const ask = async (amount: string): Promise<string> => {
    const input = { recipient_id: stage.payee.recipientId, payment: { amount } };
    const { payment_request } = await connection.paymentRequests.create(input);
    await openTab(user.page, 'Inbox');
    await user.page.getByRole('link', { name: `Review ${amount} XLM` }).click();
    await user.page.getByText('The browser extension Freighter will show this payment').waitFor();
    return payment_request.request_id;
  };
  const approve = (amount: string) =>
    user.page.getByRole('button', { name: `Approve ${amount} XLM` }).click();
  const stored = async (requestId: string) =>
    (await connection.paymentRequests.get(requestId)).payment_request;

  it.each([
    [
      'swaps the payee',
      '41',
      () => swapped,
      'Freighter returned something else than the payment shown here.',
    ],
    [
      'forges the signature',
      '42',
      () => forged,
      'Freighter returned something else than the payment shown here.',
    ],
    [
      'returns garbage',
      '43',
      () => () => 'AAAA',
      'Freighter returned something else than the payment shown here.',
    ],
    [
      'declines',
      '44',
      () => () => {
        throw new Error('declined');
      },
      'Freighter did not sign',
    ],
  ])('sends and reports nothing when the extension %s', async (_what, amount, hostile, words) => {
    const { page } = user;
    const before = horizon.received.length;
    const requestId = await ask(amount);
    signs = hostile();
    await approve(amount);
    await page.getByText(words).waitFor();
    await expectSoundPage(page);
    expect(await stored(requestId)).toMatchObject({ status: 'pending', tx_hash: null });
    expect(horizon.received).toHaveLength(before);
    await page.getByRole('link', { name: 'Back to the inbox' }).click();
  });

  it('requests the test network before anything is signed', async () => {
    passphrase = Networks.PUBLIC;
    const requestId = await ask('45');
    await approve('45');
    await user.page.getByText('Freighter is set to another network.').waitFor();
    expect((await stored(requestId)).status).toBe('pending');
    await user.page.getByRole('link', { name: 'Back to the inbox' }).click();
  });

  it('lets the extension sign the very transaction that was pinned, and continues as with its own key', async () => {
    const { page } = user;
    const requestId = await ask('46');
    await expectSoundPage(page);
    await picture(page, 'wallet-freighter');
    await approve('46');
    await page.getByText('Paid and confirmed.').waitFor();
    const request = await stored(requestId);
    expect(request.status).toBe('confirmed');
    expect(horizon.applied.get(request.tx_hash ?? '')).toEqual({
      destination: stage.address,
      amount: '46.0000000',
      memo: 'INV-7',
    });
    const events = await connection.paymentRequests.listEvents({ since: 0 });
    expect(events.events.map(({ status }) => status)).toEqual(['signed', 'broadcasted', 'confirmed']);
  });

  it('is next to the test key, which shows balance and fee, and refuses what the account cannot pay', async () => {
    const { page, complaints } = user;
    await openTab(page, 'Test key');
    await page.getByRole('button', { name: 'Make a test key' }).click();
    await page.getByRole('button', { name: 'Get lumens from the faucet' }).click();
    await page.getByText('10000.0000000 XLM').waitFor();
    for (const [amount, isCovered] of [
      ['20000', false],
      ['47', true],
    ] as const) {
      const input = { recipient_id: stage.payee.recipientId, payment: { amount } };
      await connection.paymentRequests.create(input);
      await openTab(page, 'Inbox');
      await page.getByRole('link', { name: `Review ${amount} XLM` }).click();
      const cost = isCovered
        ? 'Balance 10000 XLM, fee at most 0.0001 XLM'
        : 'Balance 10000 XLM: not enough for this payment and its fee';
      await page.getByText(cost, { exact: true }).waitFor();
      const shown = await page.locator('[data-fact=balance]').boundingBox();
      expect(shown?.y, 'within the first screen').toBeLessThan(844);
      const approve = page.getByRole('button', { name: `Approve ${amount} XLM` });
      await expect.poll(() => approve.isEnabled()).toBe(isCovered);
      await expectSoundPage(page);
      await picture(page, `wallet-balance-${isCovered ? 'enough' : 'short'}`);
    }
    await page.getByRole('button', { name: 'Sign with Freighter' }).click();
    await page.getByText('Paid and confirmed.').waitFor();
    const [paid] = [...horizon.applied.values()].slice(-1);
    expect(paid).toMatchObject({ destination: stage.address, amount: '47.0000000' });
    expect(complaints).toEqual([]);
  });
});
