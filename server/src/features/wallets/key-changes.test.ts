// Long: each attack has a separate wallet, and days pass.

import { autonomy, pay, report as reportPayment } from '@payassent/proof/people/autonomy';
import {
  authorization,
  decide,
  endorse,
  newDecisionKey,
  newDecisionPasskey,
  putKey,
  type TestDecisionKey,
  type TestPasskey,
} from '@payassent/proof/people/decision-keys';
import { outcome, succeed, type TestMerchant, verifiedMerchant } from '@payassent/proof/people/merchants';
import { paymentStage, pendingRequest, report } from '@payassent/proof/people/payments';
import { deviceOf, enrolDevice, type TestDevice } from '@payassent/proof/people/wallets';
import { startService, type TestService } from '@payassent/proof/service/service';
import { decisionKeyThumbprint, type WalletAct } from '@payassent/protocol/evidence';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/clock.ts';
import { changesJob } from './index.ts';

let service: TestService;
let merchant: TestMerchant;
beforeAll(async () => {
  service = await startService();
  merchant = await verifiedMerchant(service);
  // From here on the test itself runs the job's turns.
  await service.restart({ jobs: false });
});
afterAll(() => service.close());
beforeEach(() => {
  service.clock.release();
  service.clock.set(new Date());
});

interface Keyed {
  device: TestDevice;
  key: TestDecisionKey;
}

const PATH = '/v1/wallet-devices';
const CHANGES = '/v1/wallets/current/pending-changes';
const call = (device: TestDevice, method: string, path: string, body: object = {}) =>
  service.call(method, path, { device: deviceOf(device), ...(method === 'GET' ? {} : { body }) });
const removeKey = (device: TestDevice, body: object = {}) =>
  call(device, 'DELETE', `${PATH}/${device.device_id}/decision-key`, body);
const deleteDevice = (by: TestDevice, of: TestDevice, body: object = {}) =>
  call(by, 'DELETE', `${PATH}/${of.device_id}`, body);
const newCode = (device: TestDevice, body: object = {}) =>
  call(device, 'POST', `${PATH}/recovery-code`, body);
const changesOf = async (device: TestDevice) =>
  (await succeed(call(device, 'GET', CHANGES))).body.pending_changes;
const cancel = (by: TestDevice, changeId: string) => call(by, 'DELETE', `${CHANGES}/${changeId}`);
const keyOf = async (by: TestDevice, of = by): Promise<string | undefined> =>
  (await succeed(call(by, 'GET', PATH))).body.devices.find(
    (device: { device_id: string }) => device.device_id === of.device_id,
  ).decision_key?.thumbprint;
const trailOf = async (device: TestDevice, type: string) =>
  (
    await succeed(
      service.call('GET', '/v1/wallets/current/audit-events', { device: deviceOf(device), query: { type } }),
    )
  ).body.audit_events;

async function linked(device: TestDevice): Promise<TestDevice> {
  const link = await succeed(call(device, 'POST', `${PATH}/link-codes`));
  return enrolDevice(service, { link_code: link.body.link_code });
}

async function keyed(): Promise<Keyed> {
  const device = await enrolDevice(service);
  const key = newDecisionKey();
  await succeed(putKey(service, device, key));
  return { device, key };
}

const by = (
  signer: { device: TestDevice; key: TestDecisionKey | TestPasskey },
  change: Omit<WalletAct, 'at'>,
) => ({
  authorization: authorization(service, signer, change, service.clock.now()),
});
const setting = (device: TestDevice, key: { thumbprint: string }) =>
  ({ act: 'set_key', deviceId: device.device_id, thumbprint: key.thumbprint }) as const;
const RECOVERY = { act: 'recovery_code', deviceId: null, thumbprint: null } as const;

describe('a stolen device token', () => {
  it('cannot replace the decision key, not even a passkey', async () => {
    const device = await enrolDevice(service);
    const passkey = newDecisionPasskey(service.url);
    await succeed(putKey(service, device, passkey, proofOf(device, passkey)));
    const waits = await putKey(service, device, newDecisionKey());
    expect(waits.status).toBe(202);
    expect(waits.body.pending_change).toEqual({
      change_id: expect.stringMatching(/^chg_/),
      act: 'set_key',
      device_id: device.device_id,
      requested_by: device.device_id,
      created_at: expect.stringMatching(/Z$/),
      takes_effect_at: expect.stringMatching(/Z$/),
      status: 'pending',
    });
    const { created_at, takes_effect_at } = waits.body.pending_change;
    expect(Date.parse(takes_effect_at) - Date.parse(created_at)).toBe(DAY_MS);
    expect(await keyOf(device)).toBe(passkey.thumbprint);
  });

  it('cannot approve with a new key while the owner still decides with the old one', async () => {
    const stage = await paymentStage(service, { merchant });
    const key = newDecisionKey();
    await succeed(putKey(service, stage.device, key));
    const stolen = newDecisionKey();
    expect((await putKey(service, stage.device, stolen)).status).toBe(202);
    const request = await pendingRequest(service, stage);
    const now = service.clock.now();
    const send = (by: TestDecisionKey) =>
      report(service, stage, request.request_id, {
        status: 'signed',
        decision: decide(request, stage.device, by, 'approve', now),
      });
    expect(outcome(await send(stolen))).toBe('422 decision_signature_invalid');
    await succeed(send(key));
  });

  it('cannot remove the decision key', async () => {
    const { device, key } = await keyed();
    const waits = await removeKey(device);
    expect(waits.status).toBe(202);
    expect(waits.body.pending_change).toMatchObject({ act: 'remove_key', device_id: device.device_id });
    expect(await keyOf(device)).toBe(key.thumbprint);
  });

  it('cannot delete a device that has a key, from itself or from a sibling', async () => {
    const { device } = await keyed();
    const second = await linked(device);
    for (const thief of [second, device]) expect((await deleteDevice(thief, device)).status).toBe(202);
    expect(await changesOf(second)).toHaveLength(1);
    expect((await call(device, 'GET', PATH)).status).toBe(200);
  });

  it('cannot make a recovery code while a device has a key', async () => {
    const { device } = await keyed();
    const second = await linked(device);
    for (const thief of [device, second]) {
      const waits = await newCode(thief);
      expect(waits.status).toBe(202);
      expect(waits.body).not.toHaveProperty('recovery_code');
      expect(waits.body.pending_change).toMatchObject({ act: 'recovery_code', device_id: null });
    }
    // The owner's code still works.
    await enrolDevice(service, { recovery_code: device.recoveryCode });
  });

  it("cannot set the wallet's first key on a second device", async () => {
    const first = await enrolDevice(service);
    const second = await linked(first);
    expect((await putKey(service, second, newDecisionKey())).status).toBe(202);
    expect(await keyOf(second)).toBeUndefined();
    // The device that created the wallet can, in the wallet's first hour only.
    service.clock.advance(HOUR_MS + MINUTE_MS);
    expect((await putKey(service, first, newDecisionKey())).status).toBe(202);
  });

  it('cannot pass off its pending key as the one that the owner requests', async () => {
    const { device } = await keyed();
    const stolen = newDecisionKey();
    const { pending_change } = (await putKey(service, device, stolen)).body;
    const refused = await putKey(service, device, newDecisionKey());
    expect(outcome(refused)).toBe('409 limit_reached');
    expect(refused.body.error.details.change_id).toBe(pending_change.change_id);
    expect((await putKey(service, device, stolen)).body.pending_change).toEqual(pending_change);
  });

  it('cannot keep a pending passkey of another name in place of the one that is requested', async () => {
    const { device } = await keyed();
    const passkey = newDecisionPasskey(service.url);
    expect((await putKey(service, device, passkey, proofOf(device, passkey))).status).toBe(202);
    const key = { ...passkey.key, credential_id: newDecisionPasskey(service.url).key.credential_id };
    const renamed = { ...passkey, key, thumbprint: decisionKeyThumbprint(key) };
    const refused = await putKey(service, device, renamed, proofOf(device, renamed));
    expect(outcome(refused)).toBe('409 limit_reached');
  });

  it('cannot bring a previous key back with an endorsement that was used before', async () => {
    const first = await keyed();
    const second = await linked(first.device);
    const [lost, fresh] = [newDecisionKey(), newDecisionKey()];
    const endorsement = endorse(service, first, { device: second, key: lost });
    await succeed(putKey(service, second, lost, { endorsement }));
    const replaced = by({ device: second, key: lost }, setting(second, fresh));
    await succeed(putKey(service, second, fresh, replaced));
    expect((await putKey(service, second, lost, { endorsement })).status).toBe(202);
    expect(await keyOf(second)).toBe(fresh.thumbprint);
  });
});

/** The proof of a passkey, as `putKey` would sign it. */
function proofOf(device: TestDevice, passkey: TestPasskey) {
  return {
    proof: passkey.sign(`svc-decision-key:v1:${service.url}:${device.device_id}:${passkey.thumbprint}`),
  };
}

describe('an authorization', () => {
  it('by a current key, the old one included, takes effect immediately', async () => {
    const { device, key } = await keyed();
    const next = newDecisionKey();
    const set = await succeed(putKey(service, device, next, by({ device, key }, setting(device, next))));
    expect(set.body.device.decision_key).toMatchObject({
      thumbprint: next.thumbprint,
      endorsed_by: device.device_id,
    });
    const second = await linked(device);
    const own = newDecisionKey();
    await succeed(putKey(service, second, own, by({ device, key: next }, setting(second, own))));
    expect((await newCode(second, by({ device: second, key: own }, RECOVERY))).status).toBe(201);
    const gone = { act: 'delete_device', deviceId: device.device_id, thumbprint: next.thumbprint } as const;
    expect(outcome(await deleteDevice(second, device, by({ device: second, key: own }, gone)))).toBe(
      '200 ok',
    );
    const end = { act: 'remove_key', deviceId: second.device_id, thumbprint: own.thumbprint } as const;
    const removed = await succeed(removeKey(second, by({ device: second, key: own }, end)));
    expect(removed.body.device.decision_key).toBeNull();
    expect(outcome(await removeKey(second))).toBe('404 resource_not_found');
    expect(await trailOf(second, 'device.decision_key_removed')).toMatchObject([
      { details: { thumbprint: own.thumbprint, authorized_by: second.device_id } },
    ]);
  });

  it('counts once', async () => {
    const { device, key } = await keyed();
    const sent = by({ device, key }, RECOVERY);
    await succeed(newCode(device, sent));
    const again = await newCode(device, sent);
    expect(outcome(again)).toBe('422 decision_signature_invalid');
    expect(again.body.error.details.reason).toBe('already_used');
  });

  it('is refused for another act, thumbprint, device, service or time, and changes nothing', async () => {
    const { device, key } = await keyed();
    const second = await linked(device);
    const next = newDecisionKey();
    const right = setting(device, next);
    service.clock.freeze();
    const now = service.clock.now();
    const signer = { device, key };
    const wrong = [
      ...[
        { ...right, act: 'remove_key' as const },
        { ...right, thumbprint: key.thumbprint },
        { ...right, thumbprint: null },
        { ...right, deviceId: second.device_id },
        { ...right, deviceId: null },
      ].map((change) => authorization(service, signer, change, now)),
      authorization({ url: 'https://other.example' }, signer, right, now),
      authorization(service, signer, right, addMs(now, -5 * MINUTE_MS - 1)),
      authorization(service, signer, right, addMs(now, 5 * MINUTE_MS + 1)),
      { ...authorization(service, signer, right, now), at: addMs(now, 1).toISOString() },
      authorization(service, { device, key: newDecisionKey() }, right, now),
      authorization(service, { device: second, key }, right, now),
      authorization(service, { device, key: next }, right, now),
    ];
    for (const sent of wrong)
      expect(outcome(await putKey(service, device, next, { authorization: sent }))).toBe(
        '422 decision_signature_invalid',
      );
    expect(await changesOf(device)).toEqual([]);
    expect(await keyOf(device)).toBe(key.thumbprint);
    const both = { ...authorization(service, signer, right, now), webauthn: undefined, signature: undefined };
    expect(outcome(await putKey(service, device, next, { authorization: both }))).toBe(
      '400 validation_failed',
    );
  });

  it('by a key of another wallet or a removed device is worth nothing', async () => {
    const [own, foreign] = [await keyed(), await keyed()];
    expect(outcome(await newCode(own.device, by(foreign, RECOVERY)))).toBe('422 decision_signature_invalid');
    const second = await linked(own.device);
    const key = newDecisionKey();
    await succeed(putKey(service, second, key, by(own, setting(second, key))));
    const gone = { act: 'delete_device', deviceId: second.device_id, thumbprint: key.thumbprint } as const;
    await succeed(deleteDevice(own.device, second, by(own, gone)));
    expect(outcome(await newCode(own.device, by({ device: second, key }, RECOVERY)))).toBe(
      '422 decision_signature_invalid',
    );
  });

  it('is not needed for the key that the device has, for a keyless device, and after a recovery', async () => {
    const { device, key } = await keyed();
    expect(outcome(await putKey(service, device, key))).toBe('200 ok');
    const second = await linked(device);
    expect(outcome(await deleteDevice(device, second))).toBe('200 ok');
    const recovered = await enrolDevice(service, { recovery_code: device.recoveryCode });
    const own = newDecisionKey();
    const set = await succeed(putKey(service, recovered, own));
    expect(set.body.device.decision_key.endorsed_by).toBe('recovery');
    expect((await newCode(recovered)).status).toBe(201);
    expect(outcome(await deleteDevice(recovered, device))).toBe('200 ok');
    service.clock.advance(DAY_MS + MINUTE_MS);
    expect((await newCode(recovered)).status).toBe(202);
  });
});

describe('a pending change', () => {
  it('of a key takes effect after 24 hours, not a moment before, and is on record', async () => {
    const { device, key } = await keyed();
    const next = newDecisionKey();
    const { pending_change } = (await putKey(service, device, next)).body;
    service.clock.freeze(addMs(new Date(pending_change.takes_effect_at), -1));
    await changesJob.run(service.context);
    expect(await keyOf(device)).toBe(key.thumbprint);
    service.clock.advance(1);
    await changesJob.run(service.context);
    const [row] = await service.db`
      select thumbprint, endorsed_by from decision_keys where device_id = ${device.device_id} and ended_at is null`;
    expect(row).toEqual({ thumbprint: next.thumbprint, endorsed_by: 'delay' });
    expect(await changesOf(device)).toEqual([{ ...pending_change, status: 'effective' }]);
    for (const step of ['requested', 'effective'])
      expect(await trailOf(device, `pending_change.${step}`)).toMatchObject([
        { target: { id: pending_change.change_id }, details: { act: 'set_key' } },
      ]);
    expect(outcome(await cancel(device, pending_change.change_id))).toBe('409 invalid_status_transition');
  });

  it('takes effect for the first call that finds it, without the job', async () => {
    const { device } = await keyed();
    const second = await linked(device);
    await removeKey(device);
    await deleteDevice(second, device);
    service.clock.advance(DAY_MS + 1000);
    expect(await keyOf(second, device)).toBeUndefined();
    // The key that ended with its own change ended the deletion too.
    expect(
      (await changesOf(second)).map((change: { act: string; status: string }) => [change.act, change.status]),
    ).toEqual([
      ['delete_device', 'lapsed'],
      ['remove_key', 'effective'],
    ]);
  });

  it('that deletes the last device closes the wallet', async () => {
    const stage = await paymentStage(service, { merchant });
    await succeed(putKey(service, stage.device, newDecisionKey()));
    await deleteDevice(stage.device, stage.device);
    service.clock.advance(DAY_MS + 1000);
    await changesJob.run(service.context);
    expect(outcome(await call(stage.device, 'GET', CHANGES))).toBe('401 token_revoked');
    const [connection] = await service.db`
      select status from connections where wallet_id = ${stage.device.walletId}`;
    expect(connection?.['status']).toBe('revoked');
  });

  it('is cancelled by any device of the wallet, with or without a key, and by no other wallet', async () => {
    const { device, key } = await keyed();
    const second = await linked(device);
    const { pending_change } = (await putKey(service, device, newDecisionKey())).body;
    const path = pending_change.change_id;
    expect(outcome(await cancel(await enrolDevice(service), path))).toBe('404 resource_not_found');
    const cancelled = await succeed(cancel(second, path));
    expect(cancelled.body.pending_change).toEqual({ ...pending_change, status: 'cancelled' });
    expect(outcome(await cancel(device, path))).toBe('409 invalid_status_transition');
    service.clock.advance(DAY_MS + 1000);
    expect(await keyOf(device)).toBe(key.thumbprint);
    expect(await trailOf(device, 'pending_change.cancelled')).toMatchObject([{ target: { id: path } }]);
  });

  it('lapses when the same is done with an authorization, and when its device or key is gone', async () => {
    const { device, key } = await keyed();
    const second = await linked(device);
    for (const wish of [
      putKey(service, device, newDecisionKey()),
      newCode(second),
      deleteDevice(second, device),
    ])
      expect((await wish).status).toBe(202);
    await succeed(newCode(device, by({ device, key }, RECOVERY)));
    const next = newDecisionKey();
    await succeed(putKey(service, device, next, by({ device, key }, setting(device, next))));
    const statuses = (await changesOf(device)).map((change: { status: string }) => change.status);
    expect(statuses).toEqual(['lapsed', 'lapsed', 'lapsed']);
    await newCode(second);
    await succeed(deleteDevice(device, second));
    expect((await changesOf(device))[0]).toMatchObject({ act: 'recovery_code', status: 'lapsed' });
    expect(await trailOf(device, 'pending_change.lapsed')).toHaveLength(4);
  });

  it('hands out a recovery code once, to the device that made it, and the old one works until then', async () => {
    const { device } = await keyed();
    const second = await linked(device);
    await newCode(second);
    service.clock.advance(DAY_MS + 1000);
    expect((await newCode(device)).status).toBe(202);
    const handed = await newCode(second);
    expect(handed.status).toBe(201);
    expect((await newCode(second)).status).toBe(202);
    const enrol = (recovery_code: string) =>
      service.call('POST', PATH, { body: { name: 'New phone', recovery_code } });
    expect(outcome(await enrol(device.recoveryCode))).toBe('401 link_invalid');
    expect(outcome(await enrol(handed.body.recovery_code))).toBe('201 ok');
  });

  it('ends with a recovery that revokes the others', async () => {
    const { device } = await keyed();
    await removeKey(device);
    await newCode(device);
    const { body } = await succeed(
      service.call('POST', PATH, {
        body: { name: 'New phone', recovery_code: device.recoveryCode, revoke_others: true },
      }),
    );
    const recovered = { ...device, device_id: body.device.device_id, token: body.token };
    expect((await changesOf(recovered)).map((change: { status: string }) => change.status)).toEqual([
      'cancelled',
      'cancelled',
    ]);
  });
});

describe('a first key', () => {
  it('takes effect immediately on the only device, and a day after the others are gone', async () => {
    const first = await enrolDevice(service);
    service.clock.advance(2 * DAY_MS);
    const second = await linked(first);
    await succeed(deleteDevice(first, second));
    expect((await putKey(service, first, newDecisionKey())).status).toBe(202);
    service.clock.advance(DAY_MS + 1000);
    const [change] = await changesOf(first);
    expect(change.status).toBe('effective');
    const alone = await enrolDevice(service);
    service.clock.advance(2 * HOUR_MS);
    expect((await putKey(service, alone, newDecisionKey())).status).toBe(200);
  });

  it('takes effect immediately on the device that made the wallet, in its first hour', async () => {
    const first = await enrolDevice(service);
    await linked(first);
    expect((await putKey(service, first, newDecisionKey())).status).toBe(200);
  });
});

describe('the counter of a passkey', () => {
  it('must rise with each assertion of the key, and the same assertion again is a repeat', async () => {
    const stage = await paymentStage(service, { merchant });
    const { device } = stage;
    const passkey = newDecisionPasskey(service.url);
    const body = proofOf(device, passkey);
    await succeed(putKey(service, device, passkey, body));
    expect((await putKey(service, device, passkey, body)).status).toBe(200);
    const approve = async (counter: number) => {
      const request = await pendingRequest(service, stage);
      passkey.authenticator.counter = counter - 1;
      const decision = decide(request, device, passkey, 'approve', service.clock.now());
      const send = () => report(service, stage, request.request_id, { status: 'signed', decision });
      return [outcome(await send()), outcome(await send())];
    };
    expect(await approve(7)).toEqual(['200 ok', '200 ok']);
    for (const counter of [1, 6, 7])
      expect(await approve(counter)).toEqual(Array(2).fill('422 decision_signature_invalid'));
    // A counter of zero proves nothing: its authenticator does not count.
    expect(await approve(0)).toEqual(['200 ok', '200 ok']);
    expect(await approve(8)).toEqual(['200 ok', '200 ok']);
    passkey.authenticator.counter = 7;
    expect(outcome(await newCode(device, by({ device, key: passkey }, RECOVERY)))).toBe(
      '422 decision_signature_invalid',
    );
    expect((await newCode(device, by({ device, key: passkey }, RECOVERY))).status).toBe(201);
  });

  it('must rise when it decides about an agent payment, and when it vouches for another key', async () => {
    const world = await autonomy(service, merchant);
    const { device } = world;
    const passkey = newDecisionPasskey(service.url);
    await succeed(putKey(service, device, passkey, proofOf(device, passkey)));
    const approve = async (counter: number) => {
      const human = { initiated_by: 'human' };
      const payment = (await succeed(pay(service, world, '1', human, { bearer: world.admin }))).body.data;
      passkey.authenticator.counter = counter - 1;
      const decision = decide(payment, device, passkey, 'approve', service.clock.now());
      const send = () => reportPayment(service, world, payment.id, 'signed', { decision });
      return [await send(), await send()].map(({ body }) => body.error?.code ?? body.data.status);
    };
    expect(await approve(7)).toEqual(['signed', 'signed']);
    expect(await approve(7)).toEqual(Array(2).fill('decision_signature_invalid'));
    const second = await linked(device);
    const vouch = (counter: number) => {
      const key = newDecisionKey();
      passkey.authenticator.counter = counter - 1;
      const endorsement = endorse(service, { device, key: passkey }, { device: second, key });
      return putKey(service, second, key, { endorsement });
    };
    const refused = await vouch(7);
    expect(outcome(refused)).toBe('422 decision_signature_invalid');
    expect(refused.body.error).toMatchObject({ field: 'endorsement' });
    expect(outcome(await vouch(8))).toBe('200 ok');
    expect(await approve(8)).toEqual(Array(2).fill('decision_signature_invalid'));
    expect(await approve(9)).toEqual(['signed', 'signed']);
  });
});
