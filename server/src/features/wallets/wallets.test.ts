import { deviceOf, enrolDevice, type TestDevice } from '@payassent/proof/people/wallets';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../lib/clock.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterEach(() => service.clock.release());
afterAll(() => service.close());

const list = (device: { device_id: string; token: string }) =>
  service.call('GET', '/v1/wallet-devices', { device: deviceOf(device) });
const codeOf = async (pending: ReturnType<typeof list>) => {
  const { status, body } = await pending;
  return `${status} ${body.error?.code ?? 'ok'}`;
};
const linkCode = async (device: TestDevice): Promise<string> =>
  (await service.call('POST', '/v1/wallet-devices/link-codes', { device: deviceOf(device) })).body.link_code;
const enrol = (body: object) =>
  service.call('POST', '/v1/wallet-devices', { body: { name: 'Phone', ...body } });
const rotate = (device: { device_id: string; token: string }, id = device.device_id) =>
  service.call('POST', `/v1/wallet-devices/${id}/rotate-token`, { device: deviceOf(device) });
const remove = (device: TestDevice, id: string) =>
  service.call('DELETE', `/v1/wallet-devices/${id}`, { device: deviceOf(device) });
/** Alphabetical: entries of the same millisecond have no other order. */
const auditOf = async (deviceId: string): Promise<string[]> =>
  (await service.db`select type from audit_events where target_id = ${deviceId} order by type`).map(
    (row) => row['type'] as string,
  );

describe('enrolling a device', () => {
  it('makes a wallet with its first device, a token and a recovery code', async () => {
    const { status, body } = await enrol({ platform: 'android' });
    expect(status).toBe(201);
    expect(body.device).toMatchObject({ name: 'Phone', platform: 'android', status: 'active' });
    expect(body.token).toMatch(/^svc_dt_/);
    expect(body.recovery_code).toMatch(/^svc_rc_/);
    const listed = await list({ device_id: body.device.device_id, token: body.token });
    expect(listed.body.devices).toEqual([body.device]);
  });

  it('gives every wallet a distinct identity', async () => {
    const [one, other] = await Promise.all([enrolDevice(service), enrolDevice(service)]);
    expect(one.walletId).not.toBe(other.walletId);
    expect((await list(one)).body.devices).toHaveLength(1);
  });

  it('lists every problem of the input together', async () => {
    const { status, body } = await service.call('POST', '/v1/wallet-devices', {
      body: { name: ' ', platform: '', link_code: 'a', recovery_code: 'b', merchant_id: 'mer_1', nmae: 'x' },
    });
    expect(status).toBe(400);
    const issues = body.error.issues.map((issue: { field: string; code: string }) => [
      issue.field,
      issue.code,
    ]);
    expect(issues).toEqual(
      expect.arrayContaining([
        ['name', 'invalid_format'],
        ['platform', 'too_short'],
        ['recovery_code', 'invalid_format'],
        ['merchant_id', 'identity_field_forbidden'],
        ['nmae', 'unknown_field'],
      ]),
    );
  });

  it.each([
    ['name', 'Pho\u202ene', 'risk_control_characters'],
    ['platform', 'i\u200bOS', 'risk_control_characters'],
    ['name', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'risk_foreign_address'],
  ])('refuses a %s that could mislead its reader', async (field, text, code) => {
    const { status, body } = await enrol({ [field]: text });
    expect([status, body.error.code]).toEqual([422, 'risk_rejected']);
    expect(body.error.issues).toMatchObject([{ field, code }]);
  });

  it('stores no secret in the clear', async () => {
    const device = await enrolDevice(service);
    await linkCode(device);
    const dump = JSON.stringify([
      await service.db`select * from device_tokens`,
      await service.db`select * from wallet_codes`,
      await service.db`select * from audit_events`,
    ]);
    expect(dump).not.toMatch(/svc_(dt|rc|lc)_/);
  });
});

describe('a second device', () => {
  it('joins with a link code, once', async () => {
    const first = await enrolDevice(service);
    const link_code = await linkCode(first);
    const second = await enrol({ link_code });
    expect(second.status).toBe(201);
    expect(second.body.device.wallet_id).toBe(first.walletId);
    expect(second.body.recovery_code).toBeNull();
    expect((await list(first)).body.devices).toHaveLength(2);
    expect(await codeOf(enrol({ link_code }))).toBe('401 link_invalid');
  });

  it('has ten minutes for it, the last moment included', async () => {
    const first = await enrolDevice(service);
    service.clock.freeze();
    const [onTime, late] = [await linkCode(first), await linkCode(first)];
    service.clock.advance(10 * MINUTE_MS);
    expect((await enrol({ link_code: onTime })).status).toBe(201);
    service.clock.advance(1);
    expect(await codeOf(enrol({ link_code: late }))).toBe('401 link_invalid');
  });

  it('100 devices with one code: one joins', async () => {
    const first = await enrolDevice(service);
    const link_code = await linkCode(first);
    const answers = await Promise.all(Array.from({ length: 100 }, () => enrol({ link_code })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(99);
  });

  it('cannot join by the link code of a device that was deleted', async () => {
    const first = await enrolDevice(service);
    const second = await enrolDevice(service, { link_code: await linkCode(first) });
    const stolen = await linkCode(second);
    const kept = await linkCode(first);
    await remove(first, second.device_id);
    expect(await codeOf(enrol({ link_code: stolen }))).toBe('401 link_invalid');
    expect((await enrol({ link_code: kept })).status).toBe(201);
  });

  it.each(['link_code', 'recovery_code'])(
    '%s: malformed, unknown and of the other kind is 401',
    async (field) => {
      const device = await enrolDevice(service);
      const other = field === 'link_code' ? device.recoveryCode : await linkCode(device);
      for (const value of ['', 'nonsense', other, device.token])
        expect(await codeOf(enrol({ [field]: value }))).toBe('401 link_invalid');
      expect(await codeOf(enrol({ [field]: 7 }))).toBe('400 validation_failed');
    },
  );
});

describe('the recovery code', () => {
  it('works long after, once, and is replaced by a new one', async () => {
    const lost = await enrolDevice(service);
    service.clock.advance(400 * 24 * 60 * MINUTE_MS);
    const found = await enrolDevice(service, { recovery_code: lost.recoveryCode });
    expect(found.walletId).toBe(lost.walletId);
    expect(found.recoveryCode).toMatch(/^svc_rc_/);
    expect(found.recoveryCode).not.toBe(lost.recoveryCode);
    expect(await codeOf(enrol({ recovery_code: lost.recoveryCode }))).toBe('401 link_invalid');
    expect((await enrol({ recovery_code: found.recoveryCode })).status).toBe(201);
    expect(await auditOf(found.device_id)).toEqual(['device.enrolled', 'device.recovery_code_used']);
  });
});

describe('rotating a device token', () => {
  it('keeps the old token until the new one is first used', async () => {
    const device = await enrolDevice(service);
    const { body } = await rotate(device);
    const renewed = { ...device, token: body.token };
    expect(body.device.device_id).toBe(device.device_id);
    expect(await codeOf(list(device))).toBe('200 ok');
    expect(await codeOf(list(renewed))).toBe('200 ok');
    expect(await codeOf(list(device))).toBe('401 token_rotated');
    expect(await codeOf(list(renewed))).toBe('200 ok');
    expect(await auditOf(device.device_id)).toEqual(['device.enrolled', 'device.token_rotated']);
  });

  it('keeps the old token ten minutes at most', async () => {
    const device = await enrolDevice(service);
    service.clock.freeze();
    const renewed = { ...device, token: (await rotate(device)).body.token };
    service.clock.advance(10 * MINUTE_MS);
    expect(await codeOf(list(device))).toBe('200 ok');
    service.clock.advance(1);
    expect(await codeOf(list(device))).toBe('401 token_rotated');
    expect(await codeOf(list(renewed))).toBe('200 ok');
  });

  it('a lost response is repaired by a second rotation, and the lost token is revoked', async () => {
    const device = await enrolDevice(service);
    const lost = { ...device, token: (await rotate(device)).body.token };
    const renewed = { ...device, token: (await rotate(device)).body.token };
    expect(await codeOf(list(lost))).toBe('401 token_rotated');
    expect(await codeOf(list(device))).toBe('200 ok');
    expect(await codeOf(list(renewed))).toBe('200 ok');
    expect(await codeOf(list(device))).toBe('401 token_rotated');
  });

  it('a call that is refused for another reason is a first use too', async () => {
    const device = await enrolDevice(service);
    const renewed = { ...device, token: (await rotate(device)).body.token };
    expect(await codeOf(remove(renewed, 'dev_unknown'))).toBe('404 resource_not_found');
    expect(await codeOf(list(device))).toBe('401 token_rotated');
  });

  it('belongs to the device itself', async () => {
    const first = await enrolDevice(service);
    const second = await enrolDevice(service, { link_code: await linkCode(first) });
    expect(await codeOf(rotate(first, second.device_id))).toBe('404 resource_not_found');
  });

  it('100 concurrent rotations leave one new token that works', async () => {
    const device = await enrolDevice(service);
    const answers = await Promise.all(Array.from({ length: 100 }, () => rotate(device)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    const outcomes = await Promise.all(
      answers.map(({ body }) => codeOf(list({ ...device, token: body.token }))),
    );
    expect(outcomes.filter((outcome) => outcome === '200 ok')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === '401 token_rotated')).toHaveLength(99);
    expect(await codeOf(list(device))).toBe('401 token_rotated');
  });
});

describe('deleting a device', () => {
  it('ends its token immediately, on a repeated delete too', async () => {
    const first = await enrolDevice(service);
    const second = await enrolDevice(service, { link_code: await linkCode(first) });
    const deleted = await remove(first, second.device_id);
    expect(deleted.body.device).toMatchObject({ device_id: second.device_id, status: 'revoked' });
    expect(await codeOf(list(second))).toBe('401 token_revoked');
    expect((await remove(first, second.device_id)).body.device.status).toBe('revoked');
    expect(await auditOf(second.device_id)).toEqual(['device.deleted', 'device.enrolled']);
  });

  it("of another wallet is 404, the same response as for one that doesn't exist", async () => {
    const [mine, foreign] = [await enrolDevice(service), await enrolDevice(service)];
    const headers = { 'x-request-id': 'same' };
    const call = (id: string) =>
      service.call('DELETE', `/v1/wallet-devices/${id}`, { device: deviceOf(mine), headers });
    const [absent, other] = [await call('dev_00000000000000000000000000'), await call(foreign.device_id)];
    expect(absent.status).toBe(404);
    expect(other.text).toBe(absent.text);
  });

  it('two devices that delete each other: one stays', async () => {
    for (let round = 0; round < 5; round += 1) {
      const first = await enrolDevice(service);
      const second = await enrolDevice(service, { link_code: await linkCode(first) });
      const [one, other] = await Promise.all([
        codeOf(remove(first, second.device_id)),
        codeOf(remove(second, first.device_id)),
      ]);
      expect([one, other].sort()).toEqual(['200 ok', '401 token_revoked']);
    }
  });
});

describe('the device credential', () => {
  it('is read from body, query or bearer, and a missing half is 401', async () => {
    const device = await enrolDevice(service);
    const get = (query: Record<string, string>, bearer?: string) =>
      codeOf(service.call('GET', '/v1/wallet-devices', { query, ...(bearer ? { bearer } : {}) }));
    const { device_id, token } = device;
    expect(await get({ device_id, token })).toBe('200 ok');
    expect(await get({}, token)).toBe('200 ok');
    expect(await get({ token })).toBe('401 unauthenticated');
    expect(await get({ device_id })).toBe('401 unauthenticated');
    expect(await get({})).toBe('401 unauthenticated');
    const other = await enrolDevice(service);
    expect(await get({ device_id: other.device_id, token })).toBe('401 unauthenticated');
    expect(
      await codeOf(service.call('DELETE', '/v1/wallet-devices/x', { query: { device_id, token } })),
    ).toBe('404 resource_not_found');
  });

  it('leaves no trace in metrics and errors, and no referrer carries it', async () => {
    const device = await enrolDevice(service);
    const answers = [
      await list(device),
      await list({ ...device, device_id: 'dev_wrong' }),
      await service.call('GET', '/v1/wallet-devices', { device: deviceOf(device), query: { limit: 'x' } }),
      await service.call('GET', '/v1/nothing', { device: deviceOf(device) }),
    ];
    const { text } = await service.context.metrics.render();
    for (const written of [text, ...answers.map((answer) => answer.text)])
      expect(written).not.toContain(device.token);
    for (const { headers } of answers) {
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });
});

describe('spent codes', () => {
  it('are deleted a day later; living ones and recovery codes stay', async () => {
    const { walletsFeature } = await import('./index.ts');
    const device = await enrolDevice(service);
    await linkCode(device);
    const purge = () =>
      walletsFeature(service.app.parts).retention?.[0]?.purge(service.db, service.clock.now(), 500);
    const count = async () =>
      (await service.db`select from wallet_codes where wallet_id = ${device.walletId}`).length;
    await purge();
    expect(await count()).toBe(2);
    service.clock.advance(24 * 60 * MINUTE_MS + 11 * MINUTE_MS);
    await purge();
    expect(await count()).toBe(1);
    expect((await enrol({ recovery_code: device.recoveryCode })).status).toBe(201);
  });
});
