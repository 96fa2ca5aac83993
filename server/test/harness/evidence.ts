import type { Body, Sent } from './client.ts';
import { decide, type TestDecisionKey } from './decision-keys.ts';
import { succeed } from './merchants.ts';
import { type PaymentStage, pendingRequest, report } from './payments.ts';
import type { TestService } from './service.ts';

/** Every entry that was committed has its place in the log. */
export async function allIntegrated(service: TestService): Promise<void> {
  for (let turn = 0; turn < 300; turn += 1) {
    const [row] = await service.db`select exists (select from log_queue) as is_waiting`;
    if (row?.['is_waiting'] === false) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('entries wait for their place in the log for 15 seconds');
}

export async function evidenceOf(service: TestService, requestId: string, sent: Sent): Promise<string> {
  return (await succeed(service.call('GET', `/v1/payment-requests/${requestId}/evidence`, sent))).text;
}

const CONTENT = { title: 'Order 7', line_items: [{ name: 'Tea', quantity: 2 }] };

/** From the request to its end, as a wallet that signs does it. */
export async function finishedPayment(
  service: TestService,
  stage: PaymentStage,
  key: TestDecisionKey,
  end: 'confirmed' | 'rejected',
): Promise<{ request: Body; bundle: string }> {
  const bearer = stage.connectionToken;
  const posted = await succeed(service.call('POST', '/v1/transaction-contexts', { bearer, body: CONTENT }));
  const { transaction_id } = posted.body.transaction_context;
  const request = await pendingRequest(service, stage, { transaction_id, display: { note: 'Danke ✓' } });
  const kind = end === 'rejected' ? 'reject' : 'approve';
  const decision = decide(request, stage.device, key, kind, service.clock.now(), { context: CONTENT });
  const send = (body: Record<string, unknown>) => succeed(report(service, stage, request.request_id, body));
  if (end === 'rejected') await send({ status: 'rejected', reason_code: 'wrong_amount', decision });
  else {
    await send({ status: 'signed', decision });
    await send({ status: 'broadcasted', tx_hash: 'ab12' });
    await send({ status: 'confirmed' });
  }
  await allIntegrated(service);
  return { request, bundle: await evidenceOf(service, request.request_id, { bearer }) };
}
