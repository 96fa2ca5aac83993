import { paymentStage } from '@payassent/proof/people/payments';
import { deviceOf, enrolDevice, type TestDevice } from '@payassent/proof/people/wallets';
import { serviceForTest, startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '../src/lib/clock.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ env: { SVC_CAPS: 'connect_keys=5,codes=3' } });
});
afterAll(() => service.close());

const post = (path: string, device: TestDevice, at: Pick<TestService, 'call'> = service) =>
  at.call('POST', path, { device: deviceOf(device) });

describe('caps', () => {
  it.each([
    ['/v1/connect-keys', 5],
    ['/v1/wallet-devices/link-codes', 3],
  ])('%s: a wallet has at most so many open, however many requests come together', async (path, cap) => {
    const device = await enrolDevice(service);
    const answers = await Promise.all(Array.from({ length: 12 }, () => post(path, device)));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(12 - cap);
    for (const { status, body } of refused) {
      expect([status, body.error.code]).toEqual([409, 'limit_reached']);
      expect(body.error.details).toEqual({ limit: cap });
    }
    expect((await post(path, await enrolDevice(service))).status).toBe(201);
    service.clock.advance(11 * 60_000);
    expect((await post(path, device)).status).toBe(201);
  });

  it('count only what is open: a withdrawn Connect Key makes room', async () => {
    const device = await enrolDevice(service);
    const made = [];
    for (let turn = 0; turn < 5; turn += 1) made.push(await post('/v1/connect-keys', device));
    expect((await post('/v1/connect-keys', device)).status).toBe(409);
    const path = `/v1/connect-keys/${made[0]?.body.connect_key_id}`;
    expect((await service.call('DELETE', path, { device: deviceOf(device) })).status).toBe(200);
    expect((await post('/v1/connect-keys', device)).status).toBe(201);
  });

  it('are off on a loopback base URL by default', async () => {
    const local = await serviceForTest();
    const device = await enrolDevice(local);
    for (let turn = 0; turn < 25; turn += 1)
      expect((await post('/v1/connect-keys', device, local)).status).toBe(201);
  });
});

describe('tokens that were replaced', () => {
  it('of a connection: all are reported as rotated for a week, and the newest ten for good', async () => {
    const stage = await paymentStage(service);
    const tokens = [stage.connectionToken];
    const rotate = async () => {
      const rotated = await post(`/v1/connections/${stage.connectionId}/rotate-token`, stage.device);
      tokens.push(rotated.body.connection_token);
    };
    const codes = async () => {
      const found = [];
      for (const bearer of tokens) {
        const { status, body } = await service.call('GET', '/v1/payment-requests', { bearer });
        found.push(status === 200 ? 'ok' : body.error.code);
      }
      return found;
    };
    for (let turn = 0; turn < 12; turn += 1) await rotate();
    expect(await codes()).toEqual([...Array(12).fill('token_rotated'), 'ok']);
    service.clock.advance(8 * DAY_MS);
    await rotate();
    expect(await codes()).toEqual([
      ...Array(3).fill('unauthenticated'),
      ...Array(10).fill('token_rotated'),
      'ok',
    ]);
  });

  it('of a device: its rows do not grow with its rotations', async () => {
    const device = await enrolDevice(service);
    let token = device.token;
    for (let turn = 0; turn < 15; turn += 1) {
      service.clock.advance(DAY_MS);
      const path = `/v1/wallet-devices/${device.device_id}/rotate-token`;
      const rotated = await service.call('POST', path, { device: { device_id: device.device_id, token } });
      expect(rotated.status).toBe(200);
      token = rotated.body.token;
    }
    const rows = await service.db`select from device_tokens where device_id = ${device.device_id}`;
    expect(rows.length).toBeLessThanOrEqual(12);
    const last = { device_id: device.device_id, token };
    expect((await service.call('GET', '/v1/wallet-devices', { device: last })).status).toBe(200);
  });
});
