// Long: signs decisions in a browser.

import { readKeys } from '@payassent/proof/log/public-log';
import { usableAgent } from '@payassent/proof/people/agents';
import { allIntegrated } from '@payassent/proof/people/evidence';
import { type TestMerchant, verifiedMerchant } from '@payassent/proof/people/merchants';
import { activePayee, type TestPayee } from '@payassent/proof/people/payees';
import { enrolDevice } from '@payassent/proof/people/wallets';
import { startService, type TestService } from '@payassent/proof/service/service';
import { decisionStatement, verifyEvidence } from '@payassent/protocol/evidence';
import { type ConnectionClient, type PaymentRequest, WalletClient } from '@payassent/sdk';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuthenticator } from './harness/authenticator.ts';
import {
  browserReason,
  startBrowser,
  type TestBrowser,
  type Visitor,
  withoutBrowser,
} from './harness/browser.ts';
import { agentClient, enrolInBrowser, expectSoundPage, openTab } from './harness/wallet.ts';

interface KeptKey {
  alg: string;
  isReadable: boolean | undefined;
}

/** The key that the browser keeps for its decisions, as far as a script of the page can see it. */
function keptKey(page: Page, place: 'current' | 'next' = 'current'): Promise<KeptKey | undefined> {
  return page.evaluate(
    (place) =>
      new Promise<KeptKey | undefined>((resolve, reject) => {
        const opening = indexedDB.open('countersign-wallet');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const store = opening.result.transaction('keys').objectStore('keys');
          const all = store.getAll(IDBKeyRange.bound('decision/', 'decision/~'));
          all.onsuccess = () => {
            opening.result.close();
            const held = all.result[0]?.[place];
            resolve(held && { alg: held.key.alg, isReadable: held.privateKey?.extractable });
          };
        };
      }),
    place,
  );
}

/** Keeps the turn of the passkey that the browser holds until the page closes. */
function holdPasskey(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('countersign-wallet');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const store = opening.result.transaction('keys').objectStore('keys');
          const all = store.getAll(IDBKeyRange.bound('decision/', 'decision/~'));
          all.onsuccess = () => {
            opening.result.close();
            const lock = `passkey ${all.result[0].current.key.credential_id}`;
            void navigator.locks.request(lock, () => new Promise<void>(() => resolve()));
          };
        };
      }),
  );
}

/** What the pages of the browser wait for. */
function waitingLocks(page: Page): Promise<string[]> {
  return page.evaluate(async () =>
    ((await navigator.locks.query()).pending ?? []).map(({ name }) => name ?? ''),
  );
}

/** Stores a device that was enrolled elsewhere in the browser, as an earlier version of the wallet left it. */
function keepDevice(page: Page, device: Record<string, string>): Promise<void> {
  return page.evaluate(
    (value) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('countersign-wallet');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const change = opening.result.transaction('device', 'readwrite');
          change.objectStore('device').put(value, 'this-device');
          change.oncomplete = () => {
            opening.result.close();
            resolve();
          };
        };
      }),
    device,
  );
}

describe.skipIf(withoutBrowser)(`decisions in the reference wallet${browserReason}`, () => {
  let service: TestService;
  let browser: TestBrowser;
  let user: Visitor;
  let merchant: TestMerchant;
  let payee: TestPayee;
  let connection: ConnectionClient;
  let connectionToken: string;
  /** Passkeys belong to names, so the page is opened under one. */
  let origin: string;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    origin = `http://localhost:${new URL(service.url).port}`;
    merchant = await verifiedMerchant(service, { name: 'Harbour Books' });
    payee = await activePayee(service, merchant, { name: 'Harbour Books' });
    user = await browser.visitor();
    await enrolInBrowser(user.page, origin, 'Tablet');
    ({ client: connection, connection_token: connectionToken } = await connect(user.page));
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const connect = async (page: Page) => {
    const agent = agentClient(service, await usableAgent(service, merchant, { name: 'Assistant' }));
    await openTab(page, 'Connect');
    await page.getByRole('button', { name: 'Make a Connect Key' }).click();
    const key = (await page.locator('code').filter({ hasText: 'svc_ck_' }).textContent()) ?? '';
    const connected = agent.invitations.connect({
      connect_key: key,
      requested_scopes: ['payment.requests.create', 'payment.requests.read', 'transaction_contexts.create'],
    });
    await page.getByRole('link', { name: 'Review the request' }).click();
    await page.getByRole('button', { name: 'Approve connection' }).click();
    return connected;
  };
  const ask = async (amount: string, more: Record<string, unknown> = {}) =>
    (
      await connection.paymentRequests.create({
        recipient_id: payee.recipientId,
        payment: { amount },
        ...more,
      })
    ).payment_request;
  const review = async (page: Page, { connection_id, request_id }: PaymentRequest) =>
    page.goto(
      `${origin}/wallet/review?${new URLSearchParams({ kind: 'request', connection: connection_id, id: request_id })}`,
    );
  const approve = async (page: Page, request: PaymentRequest) => {
    await review(page, request);
    await page.getByRole('button', { name: /^Approve / }).click();
    await page.getByRole('img', { name: 'Payment link as a QR code' }).waitFor();
  };
  const reject = async (page: Page, request: PaymentRequest) => {
    await review(page, request);
    await page.getByRole('button', { name: 'Reject', exact: true }).click();
    await page.getByRole('button', { name: 'Reject payment' }).click();
    await page.getByRole('heading', { level: 1, name: 'Rejected' }).waitFor();
  };
  const stored = async ({ request_id }: PaymentRequest) =>
    (await connection.paymentRequests.get(request_id)).payment_request;
  /** What the evidence bundle proves about the decision, without trust in the service. */
  const proved = async ({ request_id }: PaymentRequest) => {
    await allIntegrated(service);
    const bundle = await connection.paymentRequests.evidence(request_id);
    const { claims } = verifyEvidence(bundle, { keys: await readKeys(service.url) });
    return Object.fromEntries(claims.map(({ claim, status }) => [claim, status]));
  };

  /** Unchanged, digit for digit: the SDK would write a double. */
  const postContext = async (body: string) => {
    const headers = { authorization: `Bearer ${connectionToken}`, 'content-type': 'application/json' };
    const { status } = await fetch(`${service.url}/v1/transaction-contexts`, {
      method: 'POST',
      headers,
      body,
    });
    expect(status).toBe(201);
  };

  it('makes a key at enrolment that no script can read, and signs with it yes and no', async () => {
    const { page } = user;
    await expect
      .poll(() => keptKey(page), { timeout: 60_000 })
      .toEqual({ alg: 'Ed25519', isReadable: false });
    await postContext(
      '{"transaction_id":"order-1","title":"Two novels","serial":12345678901234567890,"tax":1.10}',
    );
    const yes = await ask('2.5', { transaction_id: 'order-1' });
    const no = await ask('3');
    await approve(page, yes);
    await reject(page, no);
    for (const [request, decision] of [
      [yes, 'approve'],
      [no, 'reject'],
    ] as const) {
      expect((await stored(request)).decision).toMatchObject({ decision, alg: 'Ed25519' });
      expect(await proved(request)).toMatchObject({ decision: 'holds', decision_key: 'holds' });
    }
    expect((await proved(yes))['context']).toBe('holds');
  });

  it('signs what it draws: details that were changed on their way, digest and all, get no signature that counts', async () => {
    const { page } = user;
    const request = await ask('5');
    const shown = { ...request, payment: { ...request.payment, amount: '4' } };
    const { factsDigest } = await import('@payassent/protocol');
    const { recipient_version_id } = request.payee;
    const facts_digest = factsDigest({ ...shown.payment, recipient_version_id });
    const path = `**/v1/payment-requests/${request.request_id}?*`;
    const answered = JSON.stringify({ ok: true, payment_request: { ...shown, facts_digest } });
    await page.route(path, (route) => route.fulfill({ contentType: 'application/json', body: answered }));
    // With its evidence at hand the wallet would see the are before there is anything to sign.
    const evidence = `**/v1/payment-requests/${request.request_id}/evidence?*`;
    await page.route(evidence, (route) => route.abort());
    await review(page, request);
    await page.getByRole('button', { name: 'Approve 4 XLM' }).click();
    await page.getByText('The signature does not hold').waitFor();
    await page.unroute(path);
    await page.unroute(evidence);
    expect(await stored(request)).toMatchObject({ status: 'pending', decision: null });
  });

  it('gives a device from before there were keys its own when the wallet opens', async () => {
    const { page } = await browser.visitor();
    await page.goto(`${origin}/wallet`);
    await page.getByRole('tab', { name: 'New wallet' }).waitFor();
    const { device_id, walletId, token } = await enrolDevice(service, { name: 'Old phone' });
    await keepDevice(page, { deviceId: device_id, walletId, name: 'Old phone', token });
    const client = new WalletClient({ baseUrl: service.url, deviceToken: token });
    const keyOf = async () => (await client.devices.list()).devices[0]?.decision_key;
    expect(await keyOf()).toBeNull();
    await page.reload();
    await page.getByText('No pending requests').waitFor();
    await expect.poll(keyOf, { timeout: 60_000 }).toMatchObject({ alg: 'Ed25519' });
    await page.close();
  });

  it('needs a passkey above the amount that the customer chose, and signs yes and no with it', async () => {
    const { page } = user;
    await addAuthenticator(page);
    await openTab(page, 'Security');
    await page.getByLabel('Passkey needed above this amount').fill('10');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const small = await ask('10');
    const large = await ask('10.01');
    await approve(page, small);
    await review(page, large);
    await page.getByRole('button', { name: 'Approve 10.01 XLM' }).click();
    await page.getByText('payments of this size need a passkey').waitFor();
    expect(await stored(large)).toMatchObject({ status: 'pending' });

    await openTab(page, 'Security');
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('button', { name: 'Make a passkey' }).click();
    await page.locator('[data-alg=webauthn]').waitFor();
    expect(await keptKey(page)).toEqual({ alg: 'webauthn', isReadable: undefined });
    await expectSoundPage(page);
    const no = await ask('1');
    await approve(page, large);
    await reject(page, no);
    for (const request of [large, no]) {
      expect((await stored(request)).decision).toMatchObject({ alg: 'webauthn' });
      expect(await proved(request)).toMatchObject({ decision: 'holds', decision_key: 'holds' });
    }
  });

  it('sends the assertions of one passkey one after another, over all pages', async () => {
    const { page } = user;
    const request = await ask('1');
    await review(page, request);
    // Another page is between its assertion and the end of its call.
    const other = await user.context.newPage();
    await other.goto(`${origin}/verify`);
    await holdPasskey(other);
    await page.getByRole('button', { name: /^Approve / }).click();
    await expect
      .poll(() => waitingLocks(page), { timeout: 60_000 })
      .toEqual([expect.stringMatching(/^passkey /)]);
    expect(await stored(request)).toMatchObject({ status: 'pending' });
    await other.close();
    await page.getByRole('img', { name: 'Payment link as a QR code' }).waitFor();
    expect((await stored(request)).decision).toMatchObject({ alg: 'webauthn' });
  });

  it('cancels the key that waits before it offers another one, so that no key takes effect that is deleted', async () => {
    const first = await enrolDevice(service, { name: 'Laptop' });
    const link = new WalletClient({ baseUrl: service.url, deviceToken: first.token });
    const { link_code } = await link.devices.createLinkCode();
    const { page } = await browser.visitor();
    await page.goto(`${origin}/wallet`);
    await page.getByRole('tab', { name: 'New wallet' }).waitFor();
    const { device_id, walletId, token } = await enrolDevice(service, { name: 'Phone', link_code });
    await keepDevice(page, { deviceId: device_id, walletId, name: 'Phone', token });
    await addAuthenticator(page);
    await page.goto(`${origin}/wallet/security`);
    const changes = async () =>
      (await link.pendingChanges.list()).map(({ act, status }) => `${act} ${status}`);
    await expect.poll(changes, { timeout: 60_000 }).toEqual(['set_key pending']);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('button', { name: 'Make a passkey' }).click();
    await expect.poll(changes, { timeout: 60_000 }).toEqual(['set_key pending', 'set_key cancelled']);
    expect(await keptKey(page, 'next')).toMatchObject({ alg: 'webauthn' });
    await page.close();
  });

  it('replaces its key, and deletes it with the device', async () => {
    const { page } = user;
    await openTab(page, 'Security');
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByRole('button', { name: 'Make a new key' }).click();
    await page.locator('[data-alg=Ed25519]').waitFor();
    const request = await ask('6');
    await approve(page, request);
    const { decision } = await stored(request);
    expect(decision).toMatchObject({ alg: 'Ed25519' });
    expect(decision?.statement).toBe(
      decisionStatement({
        request_id: request.request_id,
        decision: 'approve',
        connection_id: request.connection_id,
        device_id: decision?.device_id ?? '',
        facts_digest: request.facts_digest,
        context_digest: null,
        expires_at: request.expires_at,
        decided_at: decision?.decided_at ?? '',
      }),
    );
    await openTab(page, 'Devices');
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('button', { name: 'Remove the device' }).click();
    await page.getByRole('tab', { name: 'New wallet' }).waitFor();
    expect(await keptKey(page)).toBeUndefined();
    // The browser logs, now or later, that the test blocked the evidence.
    const others = user.complaints.filter((complaint) => !complaint.includes('net::ERR_FAILED'));
    expect(others).toEqual([]);
  });
});
