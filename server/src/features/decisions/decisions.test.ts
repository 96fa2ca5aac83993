import { autonomy, pay } from '@payassent/proof/people/autonomy';
import {
  authorization,
  decide,
  endorse,
  newDecisionKey,
  putKey,
  type TestDecisionKey,
} from '@payassent/proof/people/decision-keys';
import { outcome, succeed } from '@payassent/proof/people/merchants';
import {
  type PaymentStage,
  paymentStage,
  pendingRequest,
  readRequest,
  report,
} from '@payassent/proof/people/payments';
import { deviceOf, enrolDevice, type TestDevice } from '@payassent/proof/people/wallets';
import { activeEndpoint, until } from '@payassent/proof/people/webhooks';
import { startService, type TestService } from '@payassent/proof/service/service';
import { startHttpReceiver } from '@payassent/proof/surroundings/http-receiver';
import { decisionStatement } from '@payassent/protocol/evidence';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../lib/clock.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
afterEach(() => service.clock.release());

async function linked(device: TestDevice): Promise<TestDevice> {
  const link = await succeed(
    service.call('POST', '/v1/wallet-devices/link-codes', { device: deviceOf(device) }),
  );
  return enrolDevice(service, { link_code: link.body.link_code });
}

/** A current key of the wallet authorizes another one. */
const authorized = (
  by: { device: TestDevice; key: TestDecisionKey },
  device: TestDevice,
  { thumbprint }: TestDecisionKey,
) => ({
  authorization: authorization(
    service,
    by,
    { act: 'set_key', deviceId: device.device_id, thumbprint },
    service.clock.now(),
  ),
});

interface SigningStage extends PaymentStage {
  key: TestDecisionKey;
}

async function signingStage(): Promise<SigningStage> {
  const stage = await paymentStage(service);
  const key = newDecisionKey();
  await succeed(putKey(service, stage.device, key));
  return { ...stage, key };
}

describe('decision keys', () => {
  it('are set by their own device, shown with it, and on record in the trail of the wallet', async () => {
    const device = await enrolDevice(service);
    const key = newDecisionKey();
    const set = await succeed(putKey(service, device, key));
    expect(set.body.device.decision_key).toEqual({
      alg: 'Ed25519',
      thumbprint: key.thumbprint,
      created_at: expect.stringMatching(/Z$/),
      endorsed_by: null,
    });
    expect((await succeed(putKey(service, device, key))).body).toEqual(set.body);
    const second = newDecisionKey();
    await succeed(putKey(service, device, second, authorized({ device, key }, device, second)));
    const listed = await succeed(service.call('GET', '/v1/wallet-devices', { device: deviceOf(device) }));
    expect(listed.body.devices[0].decision_key.thumbprint).toBe(second.thumbprint);
    const trail = await succeed(
      service.call('GET', '/v1/wallets/current/audit-events', {
        device: deviceOf(device),
        query: { type: 'device.decision_key_set' },
      }),
    );
    expect(trail.body.audit_events.map((event: { details: unknown }) => event.details)).toMatchObject([
      { thumbprint: second.thumbprint, replaced: key.thumbprint },
      { thumbprint: key.thumbprint, replaced: null },
    ]);
  });

  it.each([
    ['a proof by another key', { proof: newDecisionKey().sign('x') }, '422 decision_signature_invalid'],
    ['no signature at all', { proof: 'nonsense' }, '422 decision_signature_invalid'],
    ['no proof', { proof: undefined }, '400 validation_failed'],
    ['a key that is none', { decision_key: { alg: 'Ed25519', public_key: 'AAAA' } }, '400 validation_failed'],
    [
      'a passkey without its origin',
      { decision_key: { alg: 'webauthn', public_key: 'AAAA' } },
      '400 validation_failed',
    ],
  ])('are refused with %s', async (_, change, expected) => {
    const device = await enrolDevice(service);
    expect(outcome(await putKey(service, device, newDecisionKey(), change))).toBe(expected);
    const [row] =
      await service.db`select count(*)::int as n from decision_keys where device_id = ${device.device_id}`;
    expect(row?.['n']).toBe(0);
  });

  it('of another device cannot be set, by whichever wallet', async () => {
    const device = await enrolDevice(service);
    const other = await linked(device);
    const made = newDecisionKey();
    const body = { decision_key: made.key, proof: made.sign('x') };
    for (const id of [other.device_id, (await enrolDevice(service)).device_id])
      expect(
        outcome(
          await service.call('PUT', `/v1/wallet-devices/${id}/decision-key`, {
            device: deviceOf(device),
            body,
          }),
        ),
      ).toBe('404 resource_not_found');
  });

  it('of a second device need a signature of a device that has one, so that a stolen token alone signs nothing', async () => {
    const first = await enrolDevice(service);
    const key = newDecisionKey();
    await succeed(putKey(service, first, key));
    const second = await linked(first);
    const made = newDecisionKey();
    expect((await putKey(service, second, made)).status).toBe(202);
    const good = endorse(service, { device: first, key }, { device: second, key: made });
    const forged = { ...good, signature: newDecisionKey().sign('x') };
    const itself = endorse(service, { device: second, key: made }, { device: second, key: made });
    for (const endorsement of [forged, itself, { ...good, device_id: 'dev_0' }])
      expect(outcome(await putKey(service, second, made, { endorsement }))).toBe(
        '422 decision_signature_invalid',
      );
    const set = await succeed(putKey(service, second, made, { endorsement: good }));
    expect(set.body.device.decision_key.endorsed_by).toBe(first.device_id);
    // Nor does a replacement work without it now.
    expect((await putKey(service, first, newDecisionKey())).status).toBe(202);
  });

  it('of a device that has just recovered the wallet need no other, a day later they do', async () => {
    const first = await enrolDevice(service);
    await succeed(putKey(service, first, newDecisionKey()));
    const recovered = await enrolDevice(service, { recovery_code: first.recoveryCode });
    const set = await succeed(putKey(service, recovered, newDecisionKey()));
    expect(set.body.device.decision_key.endorsed_by).toBe('recovery');
    await service.db`update devices set created_at = created_at - interval '25 hours' where device_id = ${recovered.device_id}`;
    expect((await putKey(service, recovered, newDecisionKey())).status).toBe(202);
  });
});

describe('a signed decision', () => {
  it.each([
    ['approve', 'signed'],
    ['reject', 'rejected'],
  ] as const)(
    'to %s is in the record with its statement, and the same report again is a repeat',
    async (kind, status) => {
      const stage = await signingStage();
      const request = await pendingRequest(service, stage);
      expect(request.decision).toBeNull();
      const decision = decide(request, stage.device, stage.key, kind, service.clock.now());
      const moved = await succeed(report(service, stage, request.request_id, { status, decision }));
      const shown = (await readRequest(service, stage, request.request_id)).body.payment_request.decision;
      expect(shown).toEqual({
        decision: kind,
        decided_at: decision.decided_at,
        device_id: stage.device.device_id,
        alg: 'Ed25519',
        key_thumbprint: stage.key.thumbprint,
        statement: expect.any(String),
        signature: decision.signature,
      });
      expect(moved.body.payment_request.decision).toEqual(shown);
      const repeat = (body: Record<string, unknown>) => report(service, stage, request.request_id, body);
      for (const body of [{ status }, { status, decision }])
        expect((await succeed(repeat(body))).body).toMatchObject({ event: null });
      const other = decide(
        request,
        stage.device,
        stage.key,
        kind,
        new Date(service.clock.now().getTime() + 1000),
      );
      expect(outcome(await repeat({ status, decision: other }))).toBe('409 status_conflict');
    },
  );

  it('covers the pinned context', async () => {
    const stage = await signingStage();
    const content = { title: 'Order', line_items: [{ name: 'Tea', amount: '12.50' }] };
    const posted = await succeed(
      service.call('POST', '/v1/transaction-contexts', { bearer: stage.connectionToken, body: content }),
    );
    const { transaction_id } = posted.body.transaction_context;
    const request = await pendingRequest(service, stage, { transaction_id });
    const now = service.clock.now();
    for (const context of [undefined, { ...content, title: 'Another order' }])
      expect(
        outcome(
          await report(service, stage, request.request_id, {
            status: 'signed',
            decision: decide(request, stage.device, stage.key, 'approve', now, context ? { context } : {}),
          }),
        ),
      ).toBe('422 decision_signature_invalid');
    const decision = decide(request, stage.device, stage.key, 'approve', now, { context: content });
    await succeed(report(service, stage, request.request_id, { status: 'signed', decision }));
  });

  it('is refused when any member of its statement is another, or the time is off, and nothing changes', async () => {
    const stage = await signingStage();
    const request = await pendingRequest(service, stage);
    service.clock.freeze();
    const now = service.clock.now();
    const members = {
      request_id: 'pr_other',
      connection_id: 'con_other',
      device_id: 'dev_other',
      facts_digest: `sha256:${'0'.repeat(64)}`,
      context_digest: `sha256:${'0'.repeat(64)}`,
      expires_at: new Date(now.getTime() + HOUR_MS * 2).toISOString(),
      decided_at: new Date(now.getTime() + 1).toISOString(),
      decision: 'reject',
    } as const;
    const wrong = [
      ...Object.entries(members).map(([name, value]) =>
        decide(request, stage.device, stage.key, 'approve', now, { change: { [name]: value } }),
      ),
      decide(request, stage.device, newDecisionKey(), 'approve', now),
      decide(request, stage.device, stage.key, 'approve', new Date(now.getTime() - 5 * MINUTE_MS - 1)),
      decide(request, stage.device, stage.key, 'approve', new Date(now.getTime() + 5 * MINUTE_MS + 1)),
    ];
    for (const decision of wrong)
      expect(outcome(await report(service, stage, request.request_id, { status: 'signed', decision }))).toBe(
        '422 decision_signature_invalid',
      );
    expect((await readRequest(service, stage, request.request_id)).body.payment_request).toEqual(request);
  });

  it('is required from every device of the wallet once one has a key, and again needed by none when the key is gone', async () => {
    const stage = await signingStage();
    const request = await pendingRequest(service, stage);
    const second = await linked(stage.device);
    for (const device of [stage.device, second])
      expect(outcome(await report(service, { device }, request.request_id, { status: 'signed' }))).toBe(
        '400 decision_signature_required',
      );
    const foreign = decide(request, second, newDecisionKey(), 'approve', service.clock.now());
    expect(
      outcome(
        await report(service, { device: second }, request.request_id, {
          status: 'signed',
          decision: foreign,
        }),
      ),
    ).toBe('422 decision_signature_invalid');
    // A report after the decision is no decision.
    const decision = decide(request, stage.device, stage.key, 'approve', service.clock.now());
    await succeed(report(service, stage, request.request_id, { status: 'signed', decision }));
    await succeed(report(service, stage, request.request_id, { status: 'broadcasted', tx_hash: 'ab' }));
    expect(outcome(await report(service, stage, request.request_id, { status: 'confirmed', decision }))).toBe(
      '400 validation_failed',
    );
    const { device_id: deviceId } = stage.device;
    const change = { act: 'delete_device', deviceId, thumbprint: stage.key.thumbprint } as const;
    await succeed(
      service.call('DELETE', `/v1/wallet-devices/${deviceId}`, {
        device: deviceOf(second),
        body: { authorization: authorization(service, stage, change, service.clock.now()) },
      }),
    );
    const next = await pendingRequest(service, stage);
    await succeed(report(service, { device: second }, next.request_id, { status: 'signed' }));
  });

  it('is not needed to reject, from any device, with or without a key', async () => {
    const stage = await signingStage();
    const second = await linked(stage.device);
    for (const device of [stage.device, second]) {
      const request = await pendingRequest(service, stage);
      const moved = await succeed(report(service, { device }, request.request_id, { status: 'rejected' }));
      expect(moved.body.payment_request).toMatchObject({ status: 'rejected', decision: { alg: null } });
      const subject = `request ${request.connection_id} ${request.request_id}`;
      const types = async () => {
        const rows = await service.db<{ type: string }[]>`
          select type from log_queue where subject = ${subject}
          union select type from log_entries where subject = ${subject}`;
        return rows.map(({ type }) => type);
      };
      await until(async () => (await types()).length > 0);
      expect(await types()).toEqual(['final']);
      // A wrong signature is still rejected.
      const other = await pendingRequest(service, stage);
      const decision = decide(other, device, newDecisionKey(), 'reject', service.clock.now());
      expect(
        outcome(await report(service, { device }, other.request_id, { status: 'rejected', decision })),
      ).toBe('422 decision_signature_invalid');
    }
  });

  it('that is missing leaves the device to the wallet: agent, merchant, webhook and bundle read null', async () => {
    const stage = await paymentStage(service);
    const { device_id } = stage.device;
    const receiver = await startHttpReceiver();
    await activeEndpoint(service, stage.merchant, receiver);
    const request = await pendingRequest(service, stage);
    const path = `/v1/payment-requests/${request.request_id}`;
    const moved = await succeed(report(service, stage, request.request_id, { status: 'signed' }));
    const unsigned = {
      decision: 'approve',
      decided_at: expect.stringMatching(/Z$/),
      device_id: null,
      alg: null,
      key_thumbprint: null,
      statement: null,
      signature: null,
    };
    expect(moved.body.payment_request.decision).toEqual({ ...unsigned, device_id });
    const read = async (sent: object, of = path) => (await succeed(service.call('GET', of, sent))).body;
    const own = { device: deviceOf(stage.device) };
    const foreign = [{ bearer: stage.connectionToken }, { session: stage.merchant.session }];
    expect((await read(own)).payment_request.decision.device_id).toBe(device_id);
    expect((await read(own, '/v1/payment-requests')).payment_requests[0].decision.device_id).toBe(device_id);
    for (const sent of foreign) {
      expect((await read(sent)).payment_request.decision).toEqual(unsigned);
      const [listed] = (await read(sent, '/v1/payment-requests')).payment_requests;
      expect(listed.decision).toEqual(unsigned);
      expect((await read(sent, `${path}/evidence`)).decision).toEqual({ ...unsigned, key: null });
    }
    await succeed(report(service, stage, request.request_id, { status: 'broadcasted', tx_hash: 'ab' }));
    const told = await until(() =>
      receiver.requests.find(({ text }) => text.includes('"status":"broadcasted"')),
    );
    expect(told.text).toContain('"device_id":null');
    expect(told.text).not.toContain(device_id);
    const bundle = (await service.call('GET', `${path}/evidence`, foreign[0])).text;
    expect(bundle).not.toContain(device_id);
  });

  it('is the same on the second surface', async () => {
    const world = await autonomy(service);
    const key = newDecisionKey();
    await succeed(putKey(service, world.device, key));
    const payment = (
      await succeed(pay(service, world, '1', { initiated_by: 'human' }, { bearer: world.admin }))
    ).body.data;
    const send = (body: Record<string, unknown>) =>
      service.call('POST', `/v1/agent-payments/${payment.id}/status`, {
        device: deviceOf(world.device),
        body,
      });
    const now = service.clock.now();
    expect((await send({ status: 'signed' })).body.error.code).toBe('decision_signature_required');
    const wrong = decide(payment, world.device, newDecisionKey(), 'approve', now);
    expect((await send({ status: 'signed', decision: wrong })).body.error.code).toBe(
      'decision_signature_invalid',
    );
    const decision = decide(payment, world.device, key, 'approve', now);
    const moved = await succeed(send({ status: 'signed', decision }));
    expect(moved.body.data.decision).toMatchObject({
      decision: 'approve',
      key_thumbprint: key.thumbprint,
      statement: decisionStatement({
        agent_payment_id: payment.id,
        decision: 'approve',
        connection_id: payment.connection_id,
        device_id: world.device.device_id,
        facts_digest: payment.facts_digest,
        context_digest: null,
        expires_at: payment.expires_at,
        decided_at: decision.decided_at,
      }),
      signature: decision.signature,
    });
    await succeed(send({ status: 'signed', decision }));
    const later = decide(payment, world.device, key, 'approve', new Date(now.getTime() + 1000));
    expect((await send({ status: 'signed', decision: later })).body.error.code).toBe('status_conflict');
  });
});
