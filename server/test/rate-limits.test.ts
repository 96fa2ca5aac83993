import { randomBytes } from 'node:crypto';
import { signUp, succeed } from '@payassent/proof/people/merchants';
import { type PaymentStage, paymentStage, postRequest } from '@payassent/proof/people/payments';
import { agentToken, connect, deviceOf, enrolDevice } from '@payassent/proof/people/wallets';
import { secondService } from '@payassent/proof/service/second-service';
import { serviceForTest, type TestService } from '@payassent/proof/service/service';
import { formatToken } from '@payassent/protocol';
import { isMutation } from '@payassent/protocol/api';
import { describe, expect, it } from 'vitest';
import { rateBudgetRetention } from '../src/http/limits/index.ts';
import { publishedRoutes } from '../src/http/route.ts';
import { HOUR_MS } from '../src/lib/clock.ts';

const enrol = (service: Pick<TestService, 'call'>, headers: Record<string, string> = {}) =>
  service.call('POST', '/v1/wallet-devices', { body: { name: 'Phone' }, headers });

describe('rate limits', () => {
  it('are off on loopback by default', async () => {
    const service = await serviceForTest();
    const answers = await Promise.all(Array.from({ length: 30 }, () => enrol(service)));
    expect(answers.every((answer) => answer.status === 201)).toBe(true);
    expect(answers[0]?.headers.get('ratelimit')).toBeNull();
  });

  it('hold over all processes together and in every stretch of time: nothing begins again at the border of a window', async () => {
    const service = await serviceForTest({ env: { SVC_RATE_LIMITS: 'device_enrolment=4/h' } });
    const other = await secondService(service);
    service.clock.freeze(new Date('2030-01-01T10:59:50Z'));
    const answers = [await enrol(service), await enrol(other), await enrol(service), await enrol(other)];
    expect(answers.map((answer) => answer.status)).toEqual([201, 201, 201, 201]);
    expect(answers.map((answer) => answer.headers.get('ratelimit'))).toEqual(
      [3, 2, 1, 0].map((left) => `"device_enrolment";r=${left};t=3600`),
    );
    expect(answers[0]?.headers.get('ratelimit-policy')).toBe('"device_enrolment";q=4;w=3600');
    for (const place of [service, other]) {
      const refused = await enrol(place);
      expect(refused.status).toBe(429);
      expect(refused.body.error.code).toBe('rate_limited');
      expect(refused.headers.get('retry-after')).toBe('3600');
    }
    service.clock.advance(20_000);
    for (const place of [service, other]) expect((await enrol(place)).status).toBe(429);
    service.clock.advance(HOUR_MS - 20_001);
    for (const place of [service, other]) expect((await enrol(place)).status).toBe(429);
    service.clock.advance(1_000);
    expect((await enrol(service)).status).toBe(201);
  });

  it('never pass more than their number, however many processes are called together, and little less', async () => {
    const service = await serviceForTest({ env: { SVC_RATE_LIMITS: 'reads=100/min' } });
    const others = [await secondService(service), await secondService(service)];
    service.clock.freeze();
    const { session } = await signUp(service);
    const places = [service, ...others];
    const statuses: number[] = [];
    for (let burst = 0; burst < 4; burst += 1) {
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          places[index % 3]?.call('GET', '/v1/merchants/current', { session }),
        ),
      );
      statuses.push(...answers.map((answer) => answer?.status ?? 0));
      service.clock.advance(1_000);
    }
    const passed = statuses.filter((status) => status === 200).length;
    expect(passed).toBeLessThanOrEqual(100);
    expect(passed).toBeGreaterThanOrEqual(95);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });

  it('cost a statement for few of the calls that pass, and for almost none of those that are refused', async () => {
    const service = await serviceForTest({ env: { SVC_RATE_LIMITS: 'reads=600/min,wallet_mutations=1/h' } });
    await service.db.unsafe(`
      create table asked ();
      create function note_asked() returns trigger language plpgsql security definer as $$
        begin insert into asked default values; return null; end $$;
      create trigger asked_is_noted after update on rate_budgets execute function note_asked()`);
    const asked = async () => (await service.db`select from asked`).length;
    const device = await enrolDevice(service);
    service.clock.freeze();
    const before = await asked();
    const read = () => service.call('GET', '/v1/wallet-devices', { device: deviceOf(device) });
    for (let turn = 0; turn < 300; turn += 1) expect((await read()).status).toBe(200);
    const forReads = (await asked()) - before;
    expect(forReads).toBeGreaterThan(5);
    expect(forReads).toBeLessThan(20);
    const change = () => service.call('POST', '/v1/connect-keys', { device: deviceOf(device) });
    expect((await change()).status).toBe(201);
    for (let turn = 0; turn < 50; turn += 1) expect((await change()).status).toBe(429);
    // By the minute, by the day, and the first no.
    expect((await asked()) - before - forReads).toBe(3);
  });

  it('count by credential where there is one', async () => {
    const service = await serviceForTest({ env: { SVC_RATE_LIMITS: 'reads=3/h' } });
    service.clock.freeze(new Date('2030-01-01T10:15:00Z'));
    const first = await signUp(service);
    const second = await signUp(service);
    const read = (session: { cookie: string; csrf: string }) =>
      service.call('GET', '/v1/merchants/current', { session });
    for (let turn = 0; turn < 3; turn += 1) expect((await read(first.session)).status).toBe(200);
    expect((await read(first.session)).status).toBe(429);
    expect((await read(second.session)).status).toBe(200);
  });

  it('count creates by connection: requests and contexts together, also after its token was rotated', async () => {
    const service = await serviceForTest({ env: { SVC_RATE_LIMITS: 'create=3/h' } });
    service.clock.freeze(new Date('2030-01-01T10:15:00Z'));
    const stage = await paymentStage(service);
    const other = { ...stage, ...(await connect(service, stage.agent, stage.device)) };
    const ask = async (by: PaymentStage) => (await postRequest(service, by)).status;
    expect([await ask(stage), await ask(stage)]).toEqual([201, 201]);
    const context = await service.call('POST', '/v1/transaction-contexts', {
      bearer: stage.connectionToken,
      body: { title: 'x' },
    });
    expect([context.status, await ask(stage), await ask(other)]).toEqual([201, 429, 201]);
    const path = `/v1/connections/${stage.connectionId}/rotate-token`;
    await succeed(service.call('POST', path, { device: deviceOf(stage.device) }));
    const collected = await succeed(
      service.call('POST', `/v1/connections/${stage.connectionId}/collect-token`, {
        bearer: await agentToken(service, stage.agent),
      }),
    );
    expect(await ask({ ...stage, connectionToken: collected.body.connection_token })).toBe(429);
  });

  it('see through trusted proxies only', async () => {
    const service = await serviceForTest({
      env: { SVC_RATE_LIMITS: 'device_enrolment=1/d', SVC_TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8' },
    });
    const from = (forwarded: string) =>
      enrol(service, { 'x-forwarded-for': forwarded }).then((answer) => answer.status);
    expect(await from('203.0.113.1')).toBe(201);
    expect(await from('203.0.113.2, 10.1.2.3')).toBe(201);
    // The left part is whatever the caller wrote; the right-most address that is no proxy of ours counts.
    expect(await from('198.51.100.7, 203.0.113.1')).toBe(429);
    expect(await from('203.0.113.2')).toBe(429);
  });

  it('count an IPv6 network as one address', async () => {
    const service = await serviceForTest({
      env: { SVC_RATE_LIMITS: 'device_enrolment=2/d', SVC_TRUSTED_PROXIES: '127.0.0.1' },
    });
    const from = (forwarded: string) =>
      enrol(service, { 'x-forwarded-for': forwarded }).then((answer) => answer.status);
    expect(await from('2001:db8:1:2::1')).toBe(201);
    expect(await from('2001:db8:1:2:ffff::9')).toBe(201);
    expect(await from('2001:DB8:1:2:0:1:2:3')).toBe(429);
    expect(await from('2001:db8:1:3::1')).toBe(201);
    expect(await from('::ffff:203.0.113.9')).toBe(201);
    expect(await from('203.0.113.9')).toBe(201);
    expect(await from('::ffff:203.0.113.9')).toBe(429);
  });

  it('of calls without a credential are counted before the body is read, on every such route', async () => {
    const service = await serviceForTest({ env: { SVC_RATE_LIMITS: 'anonymous=3/h' } });
    const open = publishedRoutes().filter((route) => route.credential.length === 0);
    expect(open.length).toBeGreaterThan(5);
    for (let turn = 0; turn < 3; turn += 1)
      expect((await service.call('GET', '/v1/errors')).status).toBe(200);
    for (const { method, path } of open) {
      // Neither too large nor broken: no code reads it.
      const rawBody = method === 'GET' ? {} : { rawBody: '{"'.padEnd(100_000, 'x') };
      const received = await service.call(method, path, rawBody);
      expect([path, received.status, received.body.error.code]).toEqual([path, 429, 'rate_limited']);
      expect(received.headers.get('retry-after')).toMatch(/^\d+$/);
    }
  });

  it('count unknown credentials for the address, and let known ones pass', async () => {
    const service = await serviceForTest({ env: { SVC_RATE_LIMITS: 'anonymous=12/h,registrations=99/h' } });
    const { session } = await signUp(service);
    const read = (cookie: string) =>
      service.call('GET', '/v1/merchants/current', { headers: { cookie } }).then((answer) => answer.status);
    expect(await read(session.cookie)).toBe(200);
    const name = session.cookie.split('=')[0] ?? '';
    const stranger = () => read(`${name}=${formatToken('merchant_session', randomBytes(32))}`);
    const statuses: number[] = [];
    for (let turn = 0; turn < 14; turn += 1) statuses.push(await stranger());
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect(statuses.at(-1)).toBe(429);
    expect(await read(session.cookie)).toBe(200);
  });

  it('count calls without any credential too, and no longer read their bodies', async () => {
    const service = await serviceForTest({ env: { SVC_RATE_LIMITS: 'anonymous=3/h' } });
    const post = (rawBody: string) =>
      service.call('POST', '/v1/agents', { rawBody }).then((answer) => answer.status);
    expect([await post('{}'), await post('{"'), await post('{}'), await post('{}')]).toEqual([
      401, 400, 401, 401,
    ]);
    expect([await post('{}'), await post('{"')]).toEqual([429, 429]);
  });

  it('cover every call that changes something', () => {
    const unlimited = publishedRoutes().filter(
      (route) => isMutation(route.method) && route.credential.length > 0 && !route.limit && !route.lateLimits,
    );
    // Each report needs a request that an agent was allowed to make.
    expect(unlimited.map((route) => `${route.method} ${route.path}`).sort()).toEqual([
      'POST /v1/agent-payments/{id}/status',
      'POST /v1/payment-requests/{id}/status',
    ]);
  });

  it('count what a wallet changes, whichever of its devices acts', async () => {
    const service = await serviceForTest({ env: { SVC_RATE_LIMITS: 'wallet_mutations=3/h' } });
    const phone = await enrolDevice(service);
    const keys = (device: { device_id: string; token: string }) =>
      service.call('POST', '/v1/connect-keys', { device: deviceOf(device) }).then((answer) => answer.status);
    const made = await succeed(
      service.call('POST', '/v1/wallet-devices/link-codes', { device: deviceOf(phone) }),
    );
    const laptop = await service.call('POST', '/v1/wallet-devices', {
      body: { name: 'Laptop', link_code: made.body.link_code },
    });
    const second = { device_id: laptop.body.device.device_id, token: laptop.body.token };
    expect([await keys(phone), await keys(second), await keys(phone), await keys(second)]).toEqual([
      201, 201, 429, 429,
    ]);
  });

  it('bound what a wallet changes in a day, however slowly', async () => {
    const service = await serviceForTest({ env: { SVC_RATE_LIMITS: 'wallet_mutations_daily=3/d' } });
    const phone = await enrolDevice(service);
    const statuses: number[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      const made = await service.call('POST', '/v1/connect-keys', { device: deviceOf(phone) });
      statuses.push(made.status);
      service.clock.advance(HOUR_MS);
    }
    expect(statuses).toEqual([201, 201, 201, 429, 429]);
  });

  it('keep no address: what they count by is a keyed hash, and it is deleted when it no longer counts', async () => {
    const service = await serviceForTest({
      env: { SVC_RATE_LIMITS: 'device_enrolment=4/h', SVC_TRUSTED_PROXIES: '127.0.0.1' },
    });
    await enrol(service, { 'x-forwarded-for': '203.0.113.77' });
    const rows = () => service.db<{ name: string; subject: string }[]>`select * from rate_budgets`;
    expect((await rows()).map((row) => row.name)).toContain('device_enrolment');
    expect(JSON.stringify(await rows())).not.toContain('203.0.113');
    const purge = () => rateBudgetRetention.purge(service.db, service.clock.now(), 500);
    await purge();
    expect(await rows()).not.toEqual([]);
    service.clock.advance(2 * HOUR_MS);
    await purge();
    expect(await rows()).toEqual([]);
  });
});
