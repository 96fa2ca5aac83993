import { type PublishedKey, readKeys } from '@payassent/proof/log/public-log';
import { newDecisionKey, putKey } from '@payassent/proof/people/decision-keys';
import {
  allIntegrated,
  evidenceOf,
  finishedPayment,
  signedAgain,
  withEarlierEntries,
  withLateDecision,
} from '@payassent/proof/people/evidence';
import { outcome, succeed } from '@payassent/proof/people/merchants';
import { paymentStage, pendingRequest, report } from '@payassent/proof/people/payments';
import type { Body } from '@payassent/proof/service/client';
import { secondService } from '@payassent/proof/service/second-service';
import { serviceForTest, startService, type TestService } from '@payassent/proof/service/service';
import { verifyEvidence } from '@payassent/protocol/evidence';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
let bundle: string;
let keys: PublishedKey[];
beforeAll(async () => {
  service = await startService();
  const stage = await paymentStage(service);
  const key = newDecisionKey();
  await succeed(putKey(service, stage.device, key));
  ({ bundle } = await finishedPayment(service, stage, key, 'confirmed'));
  keys = await readKeys(service.url);
});
afterAll(() => service.close());

const statusesOf = (text: string, published: readonly PublishedKey[] = keys) =>
  Object.fromEntries(
    verifyEvidence(text, { keys: published }).claims.map(({ claim, status }) => [claim, status]),
  );

describe('verification', () => {
  it('takes an unsigned decision for a statement of the service, with and without its device', async () => {
    const own = await paymentStage(service);
    const request = await pendingRequest(service, own);
    await succeed(report(service, own, request.request_id, { status: 'rejected' }));
    await allIntegrated(service);
    const unsigned = await evidenceOf(service, request.request_id, { bearer: own.connectionToken });
    const withDevice = (device_id: string | null) =>
      signedAgain(service, unsigned, (told) => {
        told.decision.device_id = device_id;
      });
    for (const one of [withDevice(null), withDevice(own.device.device_id)]) {
      const { ok } = verifyEvidence(one, { keys });
      expect(statusesOf(one)).toMatchObject({
        decision_key: 'not_claimed',
        decision: 'service_word',
        history: 'service_word',
        final_logged: 'holds',
      });
      expect(ok).toBe(true);
    }
  });

  it('does not claim that an unsigned decision is in the log while its entry waits, however long', async () => {
    const own = await paymentStage(service);
    const request = await pendingRequest(service, own);
    await succeed(report(service, own, request.request_id, { status: 'signed' }));
    await allIntegrated(service);
    const unsigned = await evidenceOf(service, request.request_id, { bearer: own.connectionToken });
    expect(statusesOf(unsigned)).toMatchObject({ decision_logged: 'holds' });
    const waiting = withLateDecision(service, unsigned);
    expect(statusesOf(waiting)).toMatchObject({ decision: 'service_word', decision_logged: 'not_claimed' });
    expect(verifyEvidence(waiting, { keys }).ok).toBe(true);
  });

  it('states the time of the entry that is proved, not of one next to it that waits', async () => {
    const { claims } = verifyEvidence(withEarlierEntries(service, bundle), { keys });
    for (const name of ['payee_logged', 'decision_key'])
      expect(claims.find(({ claim }) => claim === name)).toMatchObject({
        status: 'holds',
        explanation: expect.not.stringContaining('2001-'),
      });
  });

  it('names settlement and created_with as statements of the service, and holds without them', async () => {
    const invented = signedAgain(service, bundle, (told) => {
      told.settlement = { state: 'final', transaction: { tx_hash: 'ab12' }, differences: [] };
      told.request.created_with = 'proof';
    });
    expect(verifyEvidence(invented, { keys }).ok).toBe(true);
    expect(statusesOf(invented)).toMatchObject({
      settlement: 'service_word',
      created_with: 'service_word',
    });
    const without = signedAgain(service, bundle, (told) => {
      delete told.request.created_with;
    });
    expect(statusesOf(without)).toMatchObject({
      settlement: 'not_claimed',
      created_with: 'not_claimed',
    });
  });

  it('finds an approval without its decision, except in a record older than the keys of the service', async () => {
    const taken = (change: (told: Body) => void) =>
      signedAgain(service, bundle, (told) => {
        told.decision = null;
        told.log.entries = told.log.entries.filter((one: Body) => !/"decision(_key)?"/.test(one.entry));
        change(told);
      });
    expect(
      statusesOf(
        taken(() => {}),
        keys,
      ),
    ).toMatchObject({ decision: 'not_claimed', history: 'broken' });
    const older = taken((told) => {
      told.log.entries = [];
      for (const event of told.history) event.occurred_at = '2020-01-01T00:00:00.000Z';
    });
    expect(verifyEvidence(older, { keys }).ok).toBe(true);
    expect(statusesOf(older)).toMatchObject({ decision: 'not_claimed', history: 'service_word' });
  });

  it('claims a decision only when the log has key and decision, and finds it missing after a minute', async () => {
    const decidedAt = Date.parse(JSON.parse(bundle).decision.decided_at);
    const without = (type: string, seconds: number) =>
      statusesOf(
        signedAgain(service, bundle, (told) => {
          told.as_of = new Date(decidedAt + seconds * 1000).toISOString();
          told.log.entries = told.log.entries.filter((one: Body) => JSON.parse(one.entry).type !== type);
        }),
      );
    expect(without('decision', 60)).toMatchObject({
      decision_key: 'holds',
      decision: 'not_claimed',
      decision_logged: 'not_claimed',
    });
    expect(without('decision', 61)).toMatchObject({ decision: 'broken', decision_logged: 'broken' });
    expect(without('decision_key', 60)).toMatchObject({
      decision_key: 'not_claimed',
      decision: 'not_claimed',
    });
    expect(without('decision_key', 61)).toMatchObject({ decision_key: 'broken', decision: 'broken' });
  });

  it('takes a key for the time between its creation and its retirement', async () => {
    const asOf = Date.parse(JSON.parse(bundle).as_of);
    const at = (ms: number) => new Date(asOf + ms).toISOString();
    const changed = (use: 'evidence' | 'log', life: object) =>
      statusesOf(
        bundle,
        keys.map((key) => (key.use === use ? { ...key, ...life } : key)),
      );
    expect(changed('evidence', { retired_at: at(0) })).toMatchObject({ service_signature: 'holds' });
    expect(changed('evidence', { retired_at: at(-1) })).toMatchObject({ service_signature: 'broken' });
    expect(changed('evidence', { created_at: at(1) })).toMatchObject({ service_signature: 'broken' });
    expect(changed('evidence', { created_at: undefined })).toMatchObject({ service_signature: 'broken' });
    expect(changed('log', { retired_at: at(0) })).toMatchObject({ log: 'holds' });
    expect(changed('log', { created_at: at(1) })).toMatchObject({ log: 'broken' });
    expect(changed('log', { retired_at: at(-60_000) })).toMatchObject({ log: 'broken' });
  });
});

it('a process whose keys were retired signs no bundle, and what it signed before still verifies', async () => {
  const own = await serviceForTest();
  const stage = await paymentStage(own);
  const key = newDecisionKey();
  await succeed(putKey(own, stage.device, key));
  const { request, bundle: before } = await finishedPayment(own, stage, key, 'rejected');
  const open = await pendingRequest(own, stage);
  own.clock.advance(1000);
  const second = await secondService(own, own.clock, {
    SVC_MASTER_KEY: Buffer.alloc(32, 8).toString('base64'),
    SVC_MASTER_KEY_PREVIOUS: own.env['SVC_MASTER_KEY'],
  });
  own.clock.advance(1000);
  const sent = { bearer: stage.connectionToken };
  const path = (id: string) => `/v1/payment-requests/${id}/evidence`;
  expect(outcome(await own.call('GET', path(open.request_id), sent))).toBe('503 unavailable');
  const published = await readKeys(own.url);
  const { text } = await succeed(second.call('GET', path(open.request_id), sent));
  expect(statusesOf(text, published)).toMatchObject({ service_signature: 'holds', payee_logged: 'holds' });
  expect((await succeed(own.call('GET', path(request.request_id), sent))).text).toBe(before);
  expect(verifyEvidence(before, { keys: published }).ok).toBe(true);
});
