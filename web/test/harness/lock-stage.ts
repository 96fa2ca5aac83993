import { usableAgent } from '@payassent/proof/people/agents';
import { createKey } from '@payassent/proof/people/autonomy';
import type { ConnectionClient } from '@payassent/sdk';
import type { Page } from 'playwright-core';
import type { Visitor } from './browser.ts';
import { type StellarStage, stellarStage } from './stellar-stage.ts';
import { agentClient, enrolInBrowser, openTab, pairInBrowser } from './wallet.ts';

export const PATIENCE_MS = 90_000;

/** The tests replace the page's number of rounds for the PIN's key: the rounds protect nothing here. */
const CHEAP_ROUNDS = 1_000;

async function makePinsCheap({ context }: Visitor): Promise<void> {
  await context.addInitScript((iterations) => {
    const derive = SubtleCrypto.prototype.deriveKey;
    SubtleCrypto.prototype.deriveKey = function (how, ...rest) {
      const asked = how as Pbkdf2Params;
      if (asked.name !== 'PBKDF2') return derive.call(this, how, ...rest);
      Object.assign(globalThis, { roundsAskedFor: asked.iterations });
      return derive.call(this, { ...asked, iterations }, ...rest);
    };
  }, CHEAP_ROUNDS);
}

/** The number of rounds that the page requested for the PIN's key. */
export function roundsAskedFor(page: Page): Promise<number> {
  return page.evaluate(() => (globalThis as unknown as { roundsAskedFor: number }).roundsAskedFor);
}

/** A customer with a wallet, and a connected agent. */
export interface LockUser extends Visitor {
  connection: ConnectionClient;
  connectionId: string;
  apiKey: string;
}

export interface LockStage extends StellarStage {
  origin: string;
  newUser(): Promise<LockUser>;
  /** Opens the sheet of a new request without loading the page again. */
  ask(user: LockUser, amount: string): Promise<string>;
}

export async function lockStage(): Promise<LockStage> {
  const stage = await stellarStage();
  const { service, browser, merchant, payee } = stage;
  // Passkeys belong to names, so the page is opened under one.
  const origin = `http://localhost:${new URL(service.url).port}`;
  return {
    ...stage,
    origin,
    async newUser() {
      const visitor = await browser.visitor();
      visitor.page.setDefaultTimeout(PATIENCE_MS);
      await makePinsCheap(visitor);
      await enrolInBrowser(visitor.page, origin, 'Tablet');
      const registered = await usableAgent(service, merchant, { name: 'Assistant' });
      const { apiKey } = await createKey(service, merchant.session, registered.agentId);
      const paired = await pairInBrowser(visitor.page, agentClient(service, registered));
      const connectionId = paired.connection.connection_id;
      return { ...visitor, connection: paired.client, connectionId, apiKey };
    },
    async ask({ page, connection }, amount) {
      const input = { recipient_id: payee.recipientId, payment: { amount } };
      const { payment_request } = await connection.paymentRequests.create(input);
      await openTab(page, 'Inbox');
      await page.getByRole('link', { name: `Review ${amount} XLM` }).click();
      await page.getByRole('button', { name: `Approve ${amount} XLM` }).waitFor();
      return payment_request.request_id;
    },
  };
}

export const approve = (page: Page) => page.getByRole('button', { name: /^Approve / }).click();

export async function reject(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Reject', exact: true }).click();
  await page.getByRole('button', { name: 'Reject payment' }).click();
  await page.getByRole('heading', { level: 1, name: 'Rejected' }).waitFor();
}

export async function statusOf({ connection }: LockUser, requestId: string): Promise<string> {
  return (await connection.paymentRequests.get(requestId)).payment_request.status;
}
