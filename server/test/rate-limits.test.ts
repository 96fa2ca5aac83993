import { describe, expect, it } from 'vitest';
import { signUp, succeed } from './harness/merchants.ts';
import { type PaymentStage, paymentStage, postRequest } from './harness/payments.ts';
import { secondService } from './harness/second-service.ts';
import { serviceForTest, type TestService } from './harness/service.ts';
import { agentToken, connect, deviceOf } from './harness/wallets.ts';

const enrol = (service: Pick<TestService, 'call'>, headers: Record<string, string> = {}) =>
  service.call('POST', '/v1/wallet-devices', { body: { name: 'Phone' }, headers });

describe('rate limits', () => {
  it('are off on loopback by default', async () => {
    const service = await serviceForTest();
    const answers = await Promise.all(Array.from({ length: 30 }, () => enrol(service)));
    expect(answers.every((answer) => answer.status === 201)).toBe(true);
    expect(answers[0]?.headers.get('ratelimit')).toBeNull();
  });

  it('count security limits across processes, tell how much is left, and begin anew with the next window', async () => {
    const service = await serviceForTest({ env: { SVC_RATE_LIMITS: 'device_enrolment=4/h' } });
    const other = await secondService(service);
    service.clock.freeze(new Date('2030-01-01T10:15:00Z'));
    const answers = [await enrol(service), await enrol(other), await enrol(service), await enrol(other)];
    expect(answers.map((answer) => answer.status)).toEqual([201, 201, 201, 201]);
    expect(answers.map((answer) => answer.headers.get('ratelimit'))).toEqual(
      [3, 2, 1, 0].map((left) => `"device_enrolment";r=${left};t=2700`),
    );
    expect(answers[0]?.headers.get('ratelimit-policy')).toBe('"device_enrolment";q=4;w=3600');
    for (const place of [service, other]) {
      const refused = await enrol(place);
      expect(refused.status).toBe(429);
      expect(refused.body.error.code).toBe('rate_limited');
      expect(refused.headers.get('retry-after')).toBe('2700');
    }
    service.clock.advance(45 * 60_000);
    expect((await enrol(service)).status).toBe(201);
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
});
