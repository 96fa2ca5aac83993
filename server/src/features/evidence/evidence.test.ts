// Long: verifies a bundle again for every byte that is changed.

import { readCheckpoint, readKeys, readLog } from '@payassent/proof/log/public-log';
import { autonomy, pay } from '@payassent/proof/people/autonomy';
import { decide, newDecisionKey, putKey, type TestDecisionKey } from '@payassent/proof/people/decision-keys';
import {
  allIntegrated,
  evidenceOf,
  finishedAgentPayment,
  finishedPayment,
  forgetEvents,
  signedAgain,
} from '@payassent/proof/people/evidence';
import { outcome, succeed } from '@payassent/proof/people/merchants';
import { type PaymentStage, paymentStage, pendingRequest, report } from '@payassent/proof/people/payments';
import { deviceOf } from '@payassent/proof/people/wallets';
import { unnoticedFlips } from '@payassent/proof/rounds/flips';
import type { Body, Sent } from '@payassent/proof/service/client';
import { serviceForTest, startService, type TestService } from '@payassent/proof/service/service';
import { canonicalJson } from '@payassent/protocol';
import { verifyEvidence } from '@payassent/protocol/evidence';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../lib/clock.ts';

let service: TestService;
let stage: PaymentStage;
let key: TestDecisionKey;
beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
  key = newDecisionKey();
  await succeed(putKey(service, stage.device, key));
});
afterAll(() => service.close());

const integrated = () => allIntegrated(service);

const bundleOf = (requestId: string, sent: Sent = { bearer: stage.connectionToken }) =>
  evidenceOf(service, requestId, sent);

const finished = (end: 'confirmed' | 'rejected') => finishedPayment(service, stage, key, end);

const statusesOf = (bundle: string | Uint8Array, keys: Awaited<ReturnType<typeof readKeys>>) =>
  Object.fromEntries(verifyEvidence(bundle, { keys }).claims.map(({ claim, status }) => [claim, status]));

const ALL_HOLD = {
  bundle: 'holds',
  service_signature: 'holds',
  payee: 'holds',
  looked_up: 'service_word',
  facts: 'holds',
  created_with: expect.stringMatching(/^(service_word|not_claimed)$/),
  payee_logged: 'holds',
  context: 'holds',
  decision_key: 'holds',
  decision: 'holds',
  decision_logged: 'holds',
  history: 'holds',
  final_logged: 'holds',
  settlement: 'not_claimed',
  log: 'holds',
  checkpoint: 'not_claimed',
  witnesses: 'not_claimed',
};

/** A wallet signs its decision; the broadcast and the confirmation are only its reports. */
const outcomesOf = (end: 'confirmed' | 'rejected') =>
  end === 'confirmed' ? { ...ALL_HOLD, history: 'service_word' } : ALL_HOLD;

describe('a bundle', () => {
  it.each(['confirmed', 'rejected'] as const)(
    'of a %s request holds in every claim, with nothing but the published keys',
    async (end) => {
      const { bundle } = await finished(end);
      expect(canonicalJson(JSON.parse(bundle))).toBe(bundle);
      const keys = await readKeys(service.url);
      const verified = verifyEvidence(bundle, { keys });
      expect(verified.claims.filter(({ status }) => status === 'broken')).toEqual([]);
      expect(statusesOf(bundle, keys)).toEqual(outcomesOf(end));
      expect(verifyEvidence(JSON.parse(bundle), { keys }).ok).toBe(true);
    },
  );

  it('is the same bytes for agent, wallet and merchant, today and later, once all is over', async () => {
    const { request, bundle } = await finished('confirmed');
    const path = request.request_id;
    expect(await bundleOf(path, { device: deviceOf(stage.device) })).toBe(bundle);
    service.clock.advance(HOUR_MS / 60);
    expect(await bundleOf(path, { session: stage.merchant.session })).toBe(bundle);
    expect(bundle).not.toContain(request.idempotency_key);
  });

  it('has a bare intent digest, and a payee without a mark whether it is current', async () => {
    const { bundle: ofRequest } = await finished('rejected');
    const { bundle: ofPayment } = await finishedAgentPayment(service, 'rejected');
    for (const bundle of [ofRequest, ofPayment]) {
      const { request } = JSON.parse(bundle);
      expect(request.intent_digest).toMatch(/^[0-9a-f]{64}$/);
      expect(request.payee).toHaveProperty('verified', true);
      expect(request.payee).not.toHaveProperty('is_current');
    }
  });

  it('is read by the parties of the payment alone; absent and foreign get the same response', async () => {
    const { request } = await finished('rejected');
    const stranger = await paymentStage(service);
    const path = `/v1/payment-requests/${request.request_id}/evidence`;
    const answers = await Promise.all([
      service.call('GET', path, { bearer: stranger.connectionToken }),
      service.call('GET', path, { device: deviceOf(stranger.device) }),
      service.call('GET', path, { session: stranger.merchant.session }),
      service.call('GET', '/v1/payment-requests/pr_nothing/evidence', { bearer: stage.connectionToken }),
    ]);
    expect(answers.map(outcome)).toEqual(Array(4).fill('404 resource_not_found'));
    expect(outcome(await service.call('GET', path))).toBe('401 unauthenticated');
  });

  it('of what is not over claims only what there is, and each time again', async () => {
    const request = await pendingRequest(service, stage);
    const keys = await readKeys(service.url);
    expect(statusesOf(await bundleOf(request.request_id), keys)).toMatchObject({
      service_signature: 'holds',
      payee: 'holds',
      facts: 'holds',
      payee_logged: 'holds',
      decision: 'not_claimed',
      history: 'not_claimed',
      final_logged: 'not_claimed',
    });
    const decision = decide(request, stage.device, key, 'approve', service.clock.now());
    await succeed(report(service, stage, request.request_id, { status: 'signed', decision }));
    await integrated();
    expect(statusesOf(await bundleOf(request.request_id), keys)).toMatchObject({
      decision: 'holds',
      history: 'holds',
      final_logged: 'not_claimed',
    });
  });

  it('of an expired request has the signed statement of the service, and no decision', async () => {
    const request = await pendingRequest(service, stage, {
      expires_at: new Date(service.clock.now().getTime() + 2000).toISOString(),
    });
    service.clock.advance(3000);
    await succeed(
      service.call('GET', `/v1/payment-requests/${request.request_id}`, { bearer: stage.connectionToken }),
    );
    await integrated();
    const bundle = await bundleOf(request.request_id);
    const [event] = JSON.parse(bundle).history;
    expect(event).toMatchObject({ status: 'expired', service_signature: { kid: expect.any(String) } });
    expect(statusesOf(bundle, await readKeys(service.url))).toMatchObject({
      history: 'holds',
      decision: 'not_claimed',
      final_logged: 'holds',
    });
  });

  it.each(['confirmed', 'rejected'] as const)(
    'of a %s agent payment is served without an envelope and holds likewise, with its history',
    async (end) => {
      const { world, path, bundle } = await finishedAgentPayment(service, end);
      const keys = await readKeys(service.url);
      expect(statusesOf(bundle, keys)).toEqual({ ...outcomesOf(end), context: 'not_claimed' });
      const { events } = (
        await service.call('GET', path.replace('evidence', 'events'), { apiKey: world.apiKey })
      ).body.data;
      expect(events.length).toBe(end === 'confirmed' ? 3 : 1);
      expect(JSON.parse(bundle).history).toEqual(events);
      expect((await service.call('GET', path, { device: deviceOf(world.device) })).text).toBe(bundle);
      expect((await service.call('GET', path, { bearer: world.connectionToken })).text).toBe(bundle);
      const stranger = await autonomy(service);
      expect((await service.call('GET', path, { apiKey: stranger.apiKey })).status).toBe(404);
      expect(unnoticedFlips(bundle, keys, 31)).toEqual([]);
    },
  );

  it('of an agent payment that is older than its events claims no history, and holds', async () => {
    const { bundle } = await finishedAgentPayment(service, 'confirmed', (id) => forgetEvents(service, id));
    expect(JSON.parse(bundle).history).toMatchObject([{ status: 'confirmed', state_version: 4 }]);
    expect(statusesOf(bundle, await readKeys(service.url))).toEqual({
      ...ALL_HOLD,
      context: 'not_claimed',
      history: 'not_claimed',
    });
    // A payment that ended earlier: the log has the end in the format of that release.
    const world = await autonomy(service);
    const human = { initiated_by: 'human' };
    const { id, facts_digest } = (await succeed(pay(service, world, '1', human, { bearer: world.admin })))
      .body.data;
    const end = { agent_payment_id: id, status: 'cancelled', facts_digest };
    await service.db`
      update agent_payments set status = 'cancelled', state_version = 2 where agent_payment_id = ${id}`;
    await service.db`
      select append_to_log('final', now(), array[${`agent_payment ${id}`}], array[${JSON.stringify(end)}])`;
    await integrated();
    const path = `/v1/agent-payments/${id}/evidence`;
    const { text } = await succeed(service.call('GET', path, { apiKey: world.apiKey }));
    expect(statusesOf(text, await readKeys(service.url))).toMatchObject({
      history: 'not_claimed',
      final_logged: 'holds',
    });
  });
});

describe('verification', () => {
  it('reports any byte of a bundle that is another, naming the claim it breaks', async () => {
    const { bundle } = await finished('confirmed');
    // Every thirteenth here; the torture run takes them all.
    expect(unnoticedFlips(bundle, await readKeys(service.url), 13)).toEqual([]);
  });

  it('names the broken claim even where the service itself signed a false statement', async () => {
    const { bundle } = await finished('confirmed');
    const keys = await readKeys(service.url);
    const lie = (change: (bundle: Body) => void, about = bundle): string[] =>
      verifyEvidence(signedAgain(service, about, change), { keys })
        .claims.filter(({ status }) => status === 'broken')
        .map(({ claim }) => claim);
    expect(lie(() => {})).toEqual([]);
    const address = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
    // The host swaps the payee.
    expect(
      lie((told) => {
        told.request.payment.to = address;
      }),
    ).toEqual(['payee', 'facts']);
    expect(
      lie((told) => {
        told.request.payment.to = address;
        told.payee.facts.address = address;
        told.payee.evidence.input.address = address;
      }),
    ).toEqual(['payee', 'facts']);
    expect(
      lie((told) => {
        told.request.payment.amount = '9999';
      }),
    ).toEqual(['facts']);
    // The host rewrites a decision.
    expect(
      lie((told) => {
        told.decision.decision = 'reject';
      }),
    ).toEqual(['decision', 'decision_logged', 'history']);
    expect(
      lie((told) => {
        told.decision.key = newDecisionKey().key;
      }),
    ).toEqual(['decision_key', 'decision']);
    expect(
      lie((told) => {
        told.context.content.title = 'Order 8';
      }),
    ).toEqual(['context']);
    // The host back-dates an entry: its text differs, and so does its leaf.
    expect(
      lie((told) => {
        const entry = told.log.entries.find((one: Body) => one.entry.includes('"decision"'));
        entry.entry = entry.entry.replace(/"at":"\d{4}/, '"at":"2001');
      }),
    ).toEqual(['log']);
    expect(
      lie((told) => {
        told.history.splice(1, 1);
      }),
    ).toEqual(['history']);
    expect(
      lie((told) => {
        told.history.at(-1).status = 'failed';
      }),
    ).toEqual(['final_logged']);
    const { bundle: payment } = await finishedAgentPayment(service, 'confirmed');
    const aboutPayment = (change: (history: Body[]) => void) => lie((told) => change(told.history), payment);
    expect(aboutPayment((history) => history.splice(1, 1))).toEqual(['history']);
    expect(aboutPayment((history) => history.splice(0, 3))).toEqual(['final_logged']);
    expect(aboutPayment((history) => Object.assign(history[2], { status: 'failed' }))).toEqual([
      'final_logged',
    ]);
    expect(aboutPayment((history) => Object.assign(history[0], { agent_payment_id: 'ap_1' }))).toEqual([
      'history',
    ]);
  });

  it('finds a fork when a checkpoint from elsewhere shows another root of the same size', async () => {
    const { bundle } = await finished('confirmed');
    const keys = await readKeys(service.url);
    const { note } = await readCheckpoint(service.url);
    const own = verifyEvidence(bundle, { keys, checkpoint: note });
    expect(own.ok).toBe(true);
    const other = await serviceForTest({ jobs: false });
    const foreign = await readCheckpoint(other.url);
    expect(verifyEvidence(bundle, { keys, checkpoint: foreign.note }).ok).toBe(false);
  });
});

it('the transparency log shows a stranger neither payee nor amount nor customer of what was decided', async () => {
  const { bundle, request } = await finished('confirmed');
  const { entries } = await readLog(service.url);
  const secret = JSON.parse(bundle);
  const committed = entries.filter((entry) => entry.includes('"commitment"'));
  expect(committed.length).toBeGreaterThanOrEqual(3);
  for (const entry of committed) expect(Object.keys(JSON.parse(entry))).toEqual(['at', 'commitment', 'type']);
  const text = entries.join('\n');
  for (const known of [
    request.request_id,
    stage.connectionId,
    stage.device.device_id,
    stage.device.walletId,
    stage.payee.address,
    request.facts_digest,
    key.thumbprint,
    secret.decision.signature,
  ])
    expect(text).not.toContain(known);
  // Even with the whole content known, a guess cannot be checked without the salt.
  const { createHash } = await import('node:crypto');
  const contents = secret.log.entries.filter((entry: Body) => entry.content !== undefined);
  for (const { content, salt } of contents) {
    const guess = createHash('sha256').update(canonicalJson(content)).digest('hex');
    expect(text).not.toContain(guess);
    const opened = createHash('sha256')
      .update(Buffer.from(salt, 'base64url'))
      .update(canonicalJson(content))
      .digest('hex');
    expect(text).toContain(opened);
  }
});
