import { canonicalJson, canonicalJsonBytes, encodeBase64Url, signEd25519 } from '@payassent/protocol';
import { hasQueued } from '../../../server/src/features/transparency-log/log-sql.ts';
import { changeFinal } from '../database/many.ts';
import type { Body, Sent } from '../service/client.ts';
import type { TestService } from '../service/service.ts';
import { type Autonomy, autonomy, pay, report as reportPayment } from './autonomy.ts';
import { decide, newDecisionKey, putKey, type TestDecisionKey } from './decision-keys.ts';
import { succeed } from './merchants.ts';
import { type PaymentStage, pendingRequest, report } from './payments.ts';

/** Every entry that was committed has its place in the log. */
export async function allIntegrated(service: TestService): Promise<void> {
  for (let turn = 0; turn < 300; turn += 1) {
    if (!(await hasQueued(service.db))) return;
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

/** The same on the second surface. `before` is done when it is broadcasted. */
export async function finishedAgentPayment(
  service: TestService,
  end: 'confirmed' | 'rejected',
  before: (paymentId: string) => Promise<unknown> = async () => {},
): Promise<{ world: Autonomy; path: string; bundle: string }> {
  const world = await autonomy(service);
  const key = newDecisionKey();
  await succeed(putKey(service, world.device, key));
  const human = { initiated_by: 'human' };
  const payment = (await succeed(pay(service, world, '1', human, { bearer: world.admin }))).body.data;
  const kind = end === 'rejected' ? 'reject' : 'approve';
  const decision = decide(payment, world.device, key, kind, service.clock.now());
  const send = (status: string, extra = {}) =>
    succeed(reportPayment(service, world, payment.id, status, extra));
  if (end === 'rejected') await send('rejected', { decision });
  else {
    await send('signed', { decision });
    await send('broadcasted', { tx_hash: 'ab12' });
    await before(payment.id);
    await send('confirmed');
  }
  await allIntegrated(service);
  const path = `/v1/agent-payments/${payment.id}/evidence`;
  return { world, path, bundle: (await succeed(service.call('GET', path, { apiKey: world.apiKey }))).text };
}

/** As an agent payment is that went so far before its events were kept. */
export async function forgetEvents(service: TestService, paymentId: string): Promise<void> {
  const change = `delete from %s where agent_payment_id = '${paymentId}'`;
  await changeFinal(service.db, 'agent_payment_events', change);
}

/** Signs a changed bundle as the service itself would. */
export function signedAgain({ context }: TestService, bundle: string, change: (told: Body) => void): string {
  const signer = context.signing.evidence;
  const { signature: _, ...told } = JSON.parse(bundle);
  change(told);
  const value = encodeBase64Url(signEd25519(canonicalJsonBytes(told), signer.seed));
  return canonicalJson({ ...told, signature: { kid: signer.kid, value } });
}

/** Next to each entry about payee and key, and before it, one of an earlier time that waits for its place. */
export function withEarlierEntries(service: TestService, bundle: string): string {
  return signedAgain(service, bundle, (told) => {
    told.log.entries = told.log.entries.flatMap((one: Body) => {
      const entry = JSON.parse(one.entry);
      if (entry.type !== 'payee.activated' && entry.type !== 'decision_key') return [one];
      const { proof: _, ...rest } = one;
      const earlier = canonicalJson({ ...entry, at: entry.at.replace(/^\d{4}/, '2001') });
      return [{ ...rest, entry: earlier, pending: true }, one];
    });
  });
}

/** Ten minutes after the decision, and its entry still waits for its place. */
export function withLateDecision(service: TestService, bundle: string): string {
  return signedAgain(service, bundle, (told) => {
    told.as_of = new Date(Date.parse(told.decision.decided_at) + 600_000).toISOString();
    for (const one of told.log.entries.filter(({ entry }: Body) => JSON.parse(entry).type === 'decision')) {
      delete one.proof;
      one.pending = true;
    }
  });
}
