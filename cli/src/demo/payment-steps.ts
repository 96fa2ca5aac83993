import { type PaymentRequest, verifyWebhook, WebhookVerificationError } from '@payassent/sdk';
import type { DemoConnection } from './connect-steps.ts';
import { type DemoStage, ensure } from './demo-stage.ts';
import type { DemoMerchant } from './merchant-steps.ts';
import { reviewOf } from './review.ts';

const AMOUNT = '12.50';
/** No transaction is made in this walk: a wallet would put the hash of its own here. */
const TX_HASH = '3389e9f0f1a65f19736cacf544c2e825313e8447f569233bb8db39aa607c8889';

/** One payment that a person decides, from the agent's wish to the confirmation. */
export async function payByApproval(
  stage: DemoStage,
  merchant: DemoMerchant,
  connected: DemoConnection,
): Promise<PaymentRequest> {
  const requestId = await ask(stage, merchant, connected);
  await review(stage, connected, requestId);
  await settle(stage, connected, requestId);
  await verifyArrived(stage, requestId);
  const { payment_request } = await merchant.client.paymentRequests.get(requestId);
  ensure(payment_request.status === 'confirmed' && payment_request.is_final, 'a confirmed payment');
  return payment_request;
}

async function ask(
  stage: DemoStage,
  merchant: DemoMerchant,
  { connection }: DemoConnection,
): Promise<string> {
  await stage.step(
    'The agent asks for a payment',
    'It says what it is for, and how much to which payee. Where the money goes is not its to say: address, network and asset come from the active version.',
  );
  const { transaction_context } = await connection.contexts.create({
    title: 'Two flat whites and a cinnamon roll',
    summary: 'Ordered for pickup at 15:30, as you asked this morning.',
    line_items: [
      { name: 'Flat white', quantity: 2, price: '4.25' },
      { name: 'Cinnamon roll', quantity: 1, price: '4.00' },
    ],
  });
  const created = await connection.paymentRequests.create({
    recipient_id: merchant.recipientId,
    recipient_version_id: merchant.recipientVersionId,
    payment: { amount: AMOUNT },
    transaction_id: transaction_context.transaction_id,
    display: { note: 'They close at four today.' },
  });
  const { payment_request } = created;
  ensure(payment_request.status === 'pending', 'a request that waits for the user');
  ensure(payment_request.payment.to === merchant.address, 'the address of the active version');
  stage.note('Created means that the user is asked. Nothing is paid yet.');
  return payment_request.request_id;
}

async function review(stage: DemoStage, { wallet }: DemoConnection, requestId: string): Promise<void> {
  await stage.step(
    'The user reads what is asked',
    'The wallet reads the request itself, computes the digest of its facts again, and shows the facts first. The words of the agent stand apart.',
  );
  const inbox = await wallet.paymentRequests.list({ status: 'pending', wait: 5 });
  ensure(
    inbox.payment_requests.some(({ request_id }) => request_id === requestId),
    'the request in the inbox',
  );
  const { payment_request } = await wallet.paymentRequests.get(requestId);
  const { transaction_id, transaction_context } = payment_request;
  const revision = transaction_context?.revision ?? undefined;
  const pinned = revision === undefined ? {} : { revision };
  const context =
    transaction_id === undefined || transaction_id === null
      ? undefined
      : (await wallet.context(transaction_id, pinned)).transaction_context;
  const shown = reviewOf(payment_request, context);
  stage.tell({ type: 'review', ...shown });
  ensure(shown.facts_are_pinned, 'facts whose digest is the pinned one');
}

async function settle(stage: DemoStage, connected: DemoConnection, requestId: string): Promise<void> {
  await stage.step(
    'The user approves, the wallet pays',
    'signed → broadcasted → confirmed, each accepted once and each an event with the next number: the agent follows them without missing one. (No chain is touched here; the hash is made up.)',
  );
  const { wallet, connection } = connected;
  const reports = [
    { status: 'signed' },
    { status: 'broadcasted', tx_hash: TX_HASH },
    { status: 'confirmed' },
  ] as const;
  let since = 0;
  for (const report of reports) {
    const { event } = await wallet.paymentRequests.reportStatus(requestId, report);
    ensure(event !== null, 'an event for the change');
    const page = await connection.paymentRequests.listEvents({ since, wait: 5 });
    ensure(
      page.events.length === 1 && page.events[0]?.event_id === event.event_id,
      'exactly this event, read by the agent',
    );
    ensure(event.sequence === since + 1, 'numbers without a gap');
    since = page.next_cursor;
  }
}

async function verifyArrived(stage: DemoStage, requestId: string): Promise<void> {
  await stage.step(
    'The merchant hears of it',
    'The same events arrive as webhooks, each verified over its exact bytes. The record is read once more: the webhook says that something happened, the record says what is true.',
  );
  const isOurs = (data: unknown): boolean =>
    (data as { payment_request?: { request_id: string } }).payment_request?.request_id === requestId;
  for (const status of ['created', 'signed', 'broadcasted', 'confirmed']) {
    await stage.webhook(`payment_request.${status}`, isOurs);
  }
  const { received, secrets } = stage.world.webhooks;
  const genuine = received.at(-1);
  ensure(genuine !== undefined, 'a message that has arrived');
  const { headers, body } = genuine;
  try {
    verifyWebhook({ headers, body: body.replace(AMOUNT, '92.50'), secret: secrets });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    stage.note(`One digit of the amount changed, the same signature: refused (${error.reason}).`);
    return;
  }
  ensure(false, 'a refusal of a message that was changed');
}
