import { outcome, succeed } from '@payassent/proof/people/merchants';
import { deviceOf, enrolDevice, type TestDevice } from '@payassent/proof/people/wallets';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, expect, it } from 'vitest';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const enrol = (body: object) =>
  service.call('POST', '/v1/wallet-devices', { body: { name: 'New phone', ...body } });
const list = (device: { device_id: string; token: string }) =>
  service.call('GET', '/v1/wallet-devices', { device: deviceOf(device) });
const newCode = (device: TestDevice) =>
  service.call('POST', '/v1/wallet-devices/recovery-code', { device: deviceOf(device) });
const linkCode = async (device: TestDevice): Promise<string> =>
  (await service.call('POST', '/v1/wallet-devices/link-codes', { device: deviceOf(device) })).body.link_code;

/** A customer's phone, and the thief's, which joined the wallet. */
async function robbedWallet(): Promise<{ phone: TestDevice; thief: TestDevice }> {
  const phone = await enrolDevice(service, { name: 'Phone' });
  const thief = await enrolDevice(service, { name: 'Thief', link_code: await linkCode(phone) });
  return { phone, thief };
}

it('a new recovery code works once, and ends the previous one', async () => {
  const phone = await enrolDevice(service);
  const made = await newCode(phone);
  expect(made.status).toBe(201);
  const { recovery_code } = made.body;
  expect(recovery_code).toMatch(/^svc_rc_/);
  expect(outcome(await enrol({ recovery_code: phone.recoveryCode }))).toBe('401 link_invalid');
  const joined = await enrol({ recovery_code });
  expect(joined.body.device.wallet_id).toBe(phone.walletId);
  expect(outcome(await enrol({ recovery_code }))).toBe('401 link_invalid');
  const audit = await service.db`
    select type from audit_events where target_id = ${phone.device_id} and type like '%recovery%'`;
  expect(audit.map((row) => row['type'])).toEqual(['device.recovery_code_replaced']);
});

it('of many concurrent new codes exactly one works', async () => {
  const phone = await enrolDevice(service);
  const made = await Promise.all(Array.from({ length: 8 }, () => newCode(phone)));
  expect(made.map((received) => received.status)).toEqual(Array(8).fill(201));
  const tries: string[] = [];
  for (const { body } of made) tries.push(outcome(await enrol({ recovery_code: body.recovery_code })));
  expect(tries.filter((one) => one === '201 ok')).toHaveLength(1);
});

it('a device that was deleted makes no recovery code', async () => {
  const { phone, thief } = await robbedWallet();
  await succeed(service.call('DELETE', `/v1/wallet-devices/${thief.device_id}`, { device: deviceOf(phone) }));
  expect(outcome(await newCode(thief))).toBe('401 token_revoked');
});

it('a recovery names the other devices, which stay unless the request ends them', async () => {
  const { phone, thief } = await robbedWallet();
  const recovered = await enrol({ recovery_code: phone.recoveryCode });
  const { other_devices } = recovered.body;
  expect(other_devices.map((device: { device_id: string }) => device.device_id)).toEqual([
    thief.device_id,
    phone.device_id,
  ]);
  expect(other_devices.map((device: { status: string }) => device.status)).toEqual(['active', 'active']);
  expect(outcome(await list(thief))).toBe('200 ok');
  expect((await enrol({})).body).not.toHaveProperty('other_devices');
});

it("a recovery that ends the others leaves a thief's device nothing to respond with", async () => {
  const { phone, thief } = await robbedWallet();
  const prepared = await linkCode(thief);
  const waiting = service.call('GET', '/v1/payment-requests', {
    device: deviceOf(thief),
    query: { wait: 20 },
  });
  await new Promise((resolve) => setTimeout(resolve, 200));
  const recovered = await enrol({ recovery_code: phone.recoveryCode, revoke_others: true });
  expect(recovered.status).toBe(201);
  const { device, token, recovery_code, other_devices } = recovered.body;
  expect(other_devices.map((other: { status: string }) => other.status)).toEqual(['revoked', 'revoked']);
  expect(outcome(await waiting)).toBe('401 token_revoked');
  const path = `/v1/wallet-devices/${device.device_id}`;
  expect(outcome(await service.call('DELETE', path, { device: deviceOf(thief) }))).toBe('401 token_revoked');
  expect(outcome(await list(phone))).toBe('401 token_revoked');
  expect(outcome(await enrol({ link_code: prepared }))).toBe('401 link_invalid');
  const own = await list({ device_id: device.device_id, token });
  expect(own.body.devices.filter((one: { status: string }) => one.status === 'active')).toEqual([device]);
  expect(outcome(await enrol({ recovery_code }))).toBe('201 ok');
});

it('revoke_others goes with a recovery code only', async () => {
  const phone = await enrolDevice(service);
  const bodies = [{ revoke_others: true }, { revoke_others: true, link_code: await linkCode(phone) }];
  for (const body of bodies) {
    const refused = await enrol(body);
    expect(outcome(refused)).toBe('400 validation_failed');
    expect(refused.body.error.issues).toMatchObject([{ field: 'revoke_others' }]);
  }
  expect(outcome(await list(phone))).toBe('200 ok');
});
