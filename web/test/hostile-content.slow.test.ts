// Slow: shows hostile texts on every page that could show them.

import { usableAgent } from '@payassent/proof/people/agents';
import { type TestMerchant, verifiedMerchant } from '@payassent/proof/people/merchants';
import { activePayee, createPayee, stellarAddress, type TestPayee } from '@payassent/proof/people/payees';
import { startService, type TestService } from '@payassent/proof/service/service';
import type { ConnectionClient, PaymentRequest } from '@payassent/sdk';
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
import {
  HOSTILE_AGENT,
  HOSTILE_MEMO,
  HOSTILE_NAME,
  HOSTILE_PAYEES,
  hostileContext,
  hostileDisplay,
  hostileMetadata,
  IMITATION,
  LONGEST_AMOUNT,
  LONGEST_DOMAIN,
  lookAlike,
  measurePinnedFacts,
  measureReach,
} from './harness/hostile.ts';
import { agentClient, enrolInBrowser, expectSoundPage, openDetails, openTab } from './harness/wallet.ts';

/** Agents choose ids too. */
const HOSTILE_ID = '"><img src=x onerror=globalThis.ran=5>/../?id=other&connection=#%2F';
const NO_FAULTS = { overlapping: [], above: [], covered: [], parsed: [], larger: [] };
const WIDTHS = [360, 1200] as const;
const RIGHT_TO_LEFT_OVERRIDE = '\u202e';
/**
 * Under the longest name and domain there are, the details that identify a payment still end this far below the top of
 * the box.
 */
const FARTHEST_PX = 640;

describe.skipIf(withoutBrowser)(`hostile content${browserReason}`, () => {
  let service: TestService;
  let browser: TestBrowser;
  let user: Visitor;
  let merchant: TestMerchant;
  let payee: TestPayee;
  let connection: ConnectionClient;
  let request: PaymentRequest;
  const dialogs: string[] = [];
  const hosts = new Set<string>();

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    merchant = await verifiedMerchant(service, { name: HOSTILE_NAME, domain: LONGEST_DOMAIN });
    payee = await activePayee(service, merchant, { name: HOSTILE_NAME, memo: HOSTILE_MEMO });
    const agent = agentClient(
      service,
      await usableAgent(service, merchant, {
        name: HOSTILE_AGENT,
        runtime: '<script>globalThis.ran=6</script>',
      }),
    );
    user = await browser.visitor({ width: 360, height: 740 });
    user.page.on('dialog', async (dialog) => {
      dialogs.push(dialog.message());
      await dialog.dismiss();
    });
    user.page.on('request', (sent) => hosts.add(new URL(sent.url()).host));
    await enrolInBrowser(user.page, service.url, '<svg onload=globalThis.ran=7>');
    const started = await agent.pairing.start({
      requested_scopes: ['payment.requests.create', 'payment.requests.read', 'transaction_contexts.create'],
    });
    await openTab(user.page, 'Connect');
    await user.page.getByLabel('Code or pairing link').fill(started.pairing_session.code ?? '');
    await user.page.getByRole('button', { name: 'Find the agent' }).click();
    await user.page.getByText(merchant.domain).waitFor();
    await expectSoundPage(user.page);
    await picture(user.page, 'hostile-connect');
    await user.page.getByRole('button', { name: 'Approve connection' }).click();
    connection = (await agent.pairing.wait(started.pairing_session)).client;
    await connection.contexts.create(hostileContext(payee.address));
    request = await ask({ transaction_id: 'hostile', display: hostileDisplay(payee.address) });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const ask = async (more: Record<string, unknown>): Promise<PaymentRequest> =>
    (
      await connection.paymentRequests.create({
        request_id: HOSTILE_ID,
        recipient_id: payee.recipientId,
        payment: { amount: '12.5000001' },
        metadata: hostileMetadata(),
        ...more,
      })
    ).payment_request;

  const reviewUrl = (requestId: string): string => {
    const query = new URLSearchParams({ kind: 'request', id: requestId, connection: request.connection_id });
    return `${service.url}/wallet/review?${query}`;
  };

  it('is refused by the service where it changes direction or names a real foreign address', async () => {
    const other = { request_id: 'refused' };
    await expect(ask({ ...other, display: { note: `${RIGHT_TO_LEFT_OVERRIDE}00.1` } })).rejects.toMatchObject(
      {
        code: 'risk_rejected',
      },
    );
    await expect(ask({ ...other, display: { note: `Pay ${stellarAddress()}` } })).rejects.toMatchObject({
      code: 'risk_rejected',
    });
    for (const end of ['\n', '\r\n', '\u0085', '\v', '\f', '\u2028', '\u2029'])
      await expect(createPayee(service, merchant, { name: `Shop${end}x` })).rejects.toThrow('one line');
    for (const hidden of [RIGHT_TO_LEFT_OVERRIDE, '\u200b'])
      await expect(createPayee(service, merchant, { name: `Shop${hidden}` })).rejects.toThrow(
        'risk_control_characters',
      );
  });

  it.each(WIDTHS)('neither covers nor moves nor imitates the pinned details at %i px', async (width) => {
    const { page } = user;
    await page.setViewportSize({ width, height: 740 });
    await openTab(page, 'Inbox');
    await page.getByRole('link', { name: 'Review 12.5000001 XLM' }).waitFor();
    await expectSoundPage(page);
    await picture(page, `hostile-inbox-${width}`);
    await page.getByRole('link', { name: 'Review 12.5000001 XLM' }).click();
    await openDetails(page);
    await page.getByRole('region', { name: 'Purpose' }).waitFor();
    await page.getByText(lookAlike(payee.address)).first().waitFor();
    for (const scrolled of ['to the top', 'to the end']) {
      const { facts, ...faults } = await measurePinnedFacts(page);
      expect(faults, `scrolled ${scrolled}`).toEqual(NO_FAULTS);
      expect(facts).toMatchObject({
        amount: `${request.payment.amount} ${request.payment.asset}`,
        // It names an amount.
        payee: '(name not shown)',
        name: '(name not shown)',
        domain: request.payee.domain,
        to: request.payment.to,
        memo: request.payment.memo,
      });
      await page.evaluate(() => {
        for (const box of document.querySelectorAll('.said-words, .foreign-text'))
          box.scrollTop = box.scrollHeight;
      });
    }
    await expectSoundPage(page);
    await picture(page, `hostile-review-${width}`);
    await page.getByRole('button', { name: 'Approve 12.5000001 XLM' }).waitFor();
  });

  it('would be noticed if it left its box', async () => {
    const { page } = user;
    await page.evaluate(() => {
      const words = document.querySelector<HTMLElement>('.said .foreign-text');
      if (words === null) throw new Error('the agent says nothing');
      document.body.append(words);
      Object.assign(words.style, { position: 'fixed', inset: '0', zIndex: '9', maxHeight: 'none' });
      words.append(document.createElement('b'));
    });
    const { overlapping, above, covered, parsed } = await measurePinnedFacts(page);
    for (const faults of [overlapping, above, covered, parsed]) expect(faults).not.toEqual([]);
    await page.reload();
    await page.getByRole('button', { name: 'Approve 12.5000001 XLM' }).waitFor();
  });

  it('is next to the details of a rejected request as words, and in the list of agents', async () => {
    const { page } = user;
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByLabel('In your words (optional)').fill('<script>globalThis.ran=8</script>'.repeat(8));
    await page.getByRole('button', { name: 'Reject payment' }).click();
    await page.getByText('Rejected. Nothing was paid.').waitFor();
    const { facts: _facts, ...faults } = await measurePinnedFacts(page);
    expect(faults).toEqual(NO_FAULTS);
    await openTab(page, 'Agents');
    await page.getByText(merchant.domain).waitFor();
    await expectSoundPage(page);
    await picture(page, 'hostile-agents');
    await openTab(page, 'Devices');
    await page.getByText('<svg onload=globalThis.ran=7>').waitFor();
    await expectSoundPage(page);
  });

  it.each(HOSTILE_PAYEES)(
    'cannot push the details of a payment apart with %s in the name',
    async (what, name) => {
      const { page } = user;
      const other = await activePayee(service, merchant, { name });
      await ask({ request_id: what, recipient_id: other.recipientId });
      await page.setViewportSize({ width: 360, height: 740 });
      await page.goto(reviewUrl(what));
      await page.getByRole('button', { name: 'Approve 12.5000001 XLM' }).waitFor();
      const { inOrder, reachPx, name: shown } = await measureReach(page);
      expect(inOrder).toBe(true);
      expect(reachPx).toBeLessThan(FARTHEST_PX);
      expect(shown).not.toMatch(/[\n\t\u2028\u2029]/);
      await expectNoSidewaysScrolling(page);
      if (what === IMITATION) await picture(page, 'hostile-name');
    },
  );

  it('cannot widen the page, nor push its details apart, with an amount of hundreds of digits', async () => {
    const { page } = user;
    const other = await activePayee(service, merchant, { name: 'Harbour Books' });
    await ask({
      request_id: 'amount',
      recipient_id: other.recipientId,
      payment: { amount: LONGEST_AMOUNT },
    });
    await page.goto(reviewUrl('amount'));
    await page.getByText('The network cannot carry this amount').waitFor();
    await expectNoSidewaysScrolling(page);
    const { inOrder, reachPx } = await measureReach(page);
    expect(inOrder).toBe(true);
    expect(reachPx).toBeLessThan(FARTHEST_PX);
    expect((await page.getByRole('button', { name: 'Reject' }).boundingBox())?.height).toBeLessThan(60);
    await picture(page, 'hostile-amount');
    await openTab(page, 'Inbox');
    await page.getByRole('link', { name: LONGEST_AMOUNT }).waitFor();
    await expectNoSidewaysScrolling(page);
  });

  it('ran nowhere, called no other host, opened nothing', async () => {
    const { page, context, complaints } = user;
    expect(await page.evaluate(() => (globalThis as { ran?: number }).ran)).toBeUndefined();
    expect(dialogs).toEqual([]);
    expect([...hosts]).toEqual([new URL(service.url).host]);
    expect(context.pages()).toHaveLength(1);
    expect(complaints).toEqual([]);
  });
});
