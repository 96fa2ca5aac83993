import { randomBytes } from 'node:crypto';
import { signUp } from '@payassent/proof/people/merchants';
import { type PaymentStage, paymentStage } from '@payassent/proof/people/payments';
import type { Sent } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import { newToken } from '@payassent/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
let stage: PaymentStage;
beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
});
afterAll(() => service.close());

const REGISTRATIONS = '/v1/merchant-accounts/registrations';
const unknownMembers = (count: number, name = (index: number) => index.toString(36)) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${name(index)}`, 1]));

describe('an error response', () => {
  it('lists 200 issues and counts the others', async () => {
    const { status, body } = await service.call('POST', REGISTRATIONS, { body: unknownMembers(5_000) });
    expect([status, body.error.code]).toEqual([400, 'validation_failed']);
    expect(body.error.issues).toHaveLength(200);
    // The missing email is one of them.
    expect(body.error.more_issues).toBe(4_801);
    expect(body.error.field).toBe(body.error.issues[0].field);
  });

  it('does not mention more issues when all are listed', async () => {
    const { body } = await service.call('POST', REGISTRATIONS, { body: unknownMembers(199) });
    expect(body.error.issues).toHaveLength(200);
    expect(body.error).not.toHaveProperty('more_issues');
  });

  it('counts the others in its details on the second surface', async () => {
    const { status, body } = await service.call('POST', '/v1/automation-policies', {
      session: stage.merchant.session,
      body: { network: 'stellar_testnet', ...unknownMembers(1_000) },
    });
    expect([status, body.error.code]).toEqual([400, 'validation_failed']);
    expect(body.error.details.issues).toHaveLength(200);
    expect(body.error.details.more_issues).toBeGreaterThan(800);
  });

  it('costs a stranger with a made-up token no more than the reading of its body', async () => {
    const bearer = newToken('connection', (length) => randomBytes(length));
    const body = unknownMembers(6_500);
    const timeOf = async (path: string, sent: Sent) => {
      const startedMs = performance.now();
      const { status } = await service.call('POST', path, { body, ...sent });
      expect(status).toBe(401);
      return performance.now() - startedMs;
    };
    let [judged, refused] = [Infinity, Infinity];
    for (let run = 0; run < 20 && !(judged < 1.5 * refused); run += 1) {
      // An ordinary call checks the credential right after reading.
      refused = Math.min(refused, await timeOf('/v1/payment-requests/preview', { bearer }));
      judged = Math.min(judged, await timeOf('/v1/payment-requests', { bearer, idempotencyKey: 'one' }));
    }
    expect(judged).toBeLessThan(1.5 * refused);
  });

  it('shortens long names in the middle', async () => {
    const name = `begin${'😀'.repeat(9_000)}end`;
    const { body } = await service.call('POST', REGISTRATIONS, { body: { [name]: 1 } });
    const field = body.error.issues.find((issue: { code: string }) => issue.code === 'unknown_field').field;
    expect(field.length).toBeLessThanOrEqual(200);
    expect(field).toMatch(/^begin(😀)+…(😀)+end$/u);
  });

  const nested = (depth: number, value: unknown): unknown =>
    depth === 0 ? value : { [`${'n'.repeat(120)}${depth}`]: nested(depth - 1, value) };
  const items = (count: number, item: unknown) => Array.from({ length: count }, () => item);

  /** What the request line and headers of the shortest of these calls take. */
  const HEADER_BYTES = 250;

  it.each<[string, string, () => unknown]>([
    ['7,000 short members', REGISTRATIONS, () => unknownMembers(7_000)],
    ['200 short members', REGISTRATIONS, () => unknownMembers(200)],
    [
      '1,000 long members',
      REGISTRATIONS,
      () => unknownMembers(500, (index) => `${index}`.padStart(100, 'y')),
    ],
    ['a list of wrong scopes', '/v1/pairing/sessions', () => ({ requested_scopes: items(15_000, 1) })],
    ['members below deep names', '/v1/transaction-contexts', () => nested(28, items(5_000, { memo: 1 }))],
    [
      'addresses below deep names',
      '/v1/transaction-contexts',
      () => nested(28, items(500, 'GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7')),
    ],
    [
      'invisible characters below deep names',
      '/v1/transaction-contexts',
      () => nested(20, items(8_000, '\u202e')),
    ],
  ])('is at most four times the request and 16 KiB: %s', async (_name, path, make) => {
    const rawBody = JSON.stringify(make());
    const received = await service.call('POST', path, { rawBody, bearer: stage.connectionToken });
    expect(received.status).toBeGreaterThanOrEqual(400);
    expect(received.status).toBeLessThan(500);
    const sent = Buffer.byteLength(rawBody) + HEADER_BYTES;
    expect(Buffer.byteLength(received.text)).toBeLessThanOrEqual(4 * sent + 16 * 1024);
    expect(Buffer.byteLength(received.text)).toBeLessThan(40 * 1024);
  });
});

describe('query parameters', () => {
  const query = (count: number, name = 'a') => Array.from({ length: count }, () => name).join('&');

  it('are at most 64: more are one issue, encoded or not', async () => {
    for (const text of [query(65), query(8_000), query(65, '%61')]) {
      const { status, body } = await service.call('GET', `/v1/errors?${text}`);
      expect([status, body.error.code]).toEqual([400, 'validation_failed']);
      expect(body.error.issues).toEqual([
        { field: 'query', code: 'too_many', message: 'A call takes at most 64 query parameters.' },
      ]);
    }
    const { body } = await service.call('GET', `/v1/errors?${query(64)}`);
    expect(JSON.stringify(body)).not.toContain('too_many');
  });

  it('are counted only for callers whose credential passes', async () => {
    expect((await service.call('GET', `/v1/connections?${query(65)}`)).status).toBe(401);
    const { session } = await signUp(service);
    const { body } = await service.call('GET', `/v1/connections?${query(65)}`, { session });
    expect(body.error.issues.map((issue: { code: string }) => issue.code)).toEqual(['too_many']);
  });
});
