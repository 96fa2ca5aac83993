import { type TestMerchant, verifiedMerchant } from '@payassent/proof/people/merchants';
import { causeEvents, createEndpoint, forceActive, until } from '@payassent/proof/people/webhooks';
import { startService, type TestService } from '@payassent/proof/service/service';
import { createAuthority, selfSigned } from '@payassent/proof/surroundings/certificates';
import {
  type Behaviour,
  startHttpReceiver,
  startHttpsReceiver,
  type TestReceiver,
} from '@payassent/proof/surroundings/http-receiver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeliveryRow } from './endpoints/view.ts';

let service: TestService;
let elsewhere: TestReceiver;
const closers: TestReceiver[] = [];
const rowOf = new Map<string, DeliveryRow>();
let grownBytes = 0;

const soon = () => new Date(Date.now() + 7_000).toUTCString();
const answer = (status: number, retryAfter?: string): Behaviour => ({
  kind: 'answer',
  status,
  headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  body: 'x'.repeat(2_000),
});

const FAULTS: Record<string, () => Behaviour> = {
  'never answers': () => ({ kind: 'never' }),
  'drips headers': () => ({ kind: 'drip-headers', everyMs: 200 }),
  'drips its body': () => ({ kind: 'drip-body', everyMs: 200 }),
  'sends 1 GiB': () => ({ kind: 'huge-body', bytes: 2 ** 30 }),
  'resets at once': () => ({ kind: 'reset', when: 'before-headers' }),
  'resets in its body': () => ({ kind: 'reset', when: 'in-body' }),
  'speaks garbage': () => ({ kind: 'garbage' }),
  'redirects to loopback': () => ({ kind: 'redirect', location: `${elsewhere.url}/inside`, status: 307 }),
  'answers 500': () => answer(500),
  'answers 404': () => answer(404),
  'answers a status of its own': () => ({
    kind: 'raw',
    bytes: 'HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n',
  }),
  '429, 7 s': () => answer(429, '7'),
  '503, a date in 7 s': () => answer(503, soon()),
  '429, negative': () => answer(429, '-30'),
  '503, huge': () => answer(503, '99999999999'),
  '503, garbage': () => answer(503, 'next week, perhaps'),
};

/** One endpoint per kind of failure, all tried in parallel. */
async function tryAll(): Promise<void> {
  const merchants = [await verifiedMerchant(service), await verifiedMerchant(service)];
  const names: string[] = [];
  const ids: string[] = [];
  const add = async (merchant: TestMerchant | undefined, name: string, url: string) => {
    if (!merchant) return;
    const { endpointId } = await createEndpoint(service, merchant, { url });
    await forceActive(service.db, endpointId);
    names.push(name);
    ids.push(endpointId);
  };
  const receiver = await startHttpReceiver();
  closers.push(receiver);
  const names16 = Object.keys(FAULTS);
  receiver.script((request) => FAULTS[names16[Number(request.path.slice(1))] ?? '']?.() ?? { kind: 'never' });
  for (const [index, name] of names16.entries()) await add(merchants[0], name, `${receiver.url}/${index}`);
  const authority = await createAuthority();
  service.dns.set('tls.example', 'A', ['127.0.0.1']);
  service.dns.set('inside.example', 'A', ['93.184.216.34', '10.0.0.1']);
  const secure = {
    'an expired certificate': await authority.issue(['tls.example'], 'expired'),
    'a self-signed certificate': await selfSigned(['tls.example']),
    "another host's certificate": await authority.issue(['other.example']),
  };
  for (const [name, identity] of Object.entries(secure)) {
    const tls = await startHttpsReceiver(identity, 'tls.example');
    closers.push(tls);
    await add(merchants[1], name, `${tls.url}/hook`);
  }
  await add(merchants[1], 'a name with one private address', 'https://inside.example/');
  await add(merchants[1], 'a name that does not exist', 'https://nowhere.example/');
  await add(merchants[1], 'a closed port', 'http://127.0.0.1:9/');

  const memoryBefore = process.memoryUsage().rss;
  for (const merchant of merchants) await causeEvents(service.context, merchant.merchantId);
  await until(async () => {
    const rows = await service.db<DeliveryRow[]>`
      select * from webhook_deliveries where attempt = 1 and status <> 'pending'
        and webhook_endpoint_id = any(${ids}::text[])`;
    for (const row of rows) rowOf.set(names[ids.indexOf(row.webhook_endpoint_id)] ?? '', row);
    return rows.length === ids.length;
  }, 25_000);
  grownBytes = process.memoryUsage().rss - memoryBefore;
}

beforeAll(async () => {
  service = await startService();
  elsewhere = await startHttpReceiver();
  await tryAll();
});
afterAll(async () => {
  await service.close();
  await Promise.all([elsewhere, ...closers].map((receiver) => receiver.close()));
});

describe('a receiver that', () => {
  it.each([
    ['never answers', 'timeout', null],
    ['drips headers', 'timeout', null],
    ['drips its body', 'timeout', null],
    ['resets at once', 'connection_reset', null],
    ['resets in its body', 'connection_reset', null],
    ['speaks garbage', 'invalid_response', null],
    ['redirects to loopback', 'redirect_refused', 307],
    ['answers 500', 'http_error', 500],
    ['answers 404', 'http_error', 404],
    ['answers a status of its own', 'invalid_response', null],
    ['an expired certificate', 'tls_failed', null],
    ['a self-signed certificate', 'tls_failed', null],
    ["another host's certificate", 'tls_failed', null],
    ['a name with one private address', 'blocked_address', null],
    ['a name that does not exist', 'dns_failed', null],
    ['a closed port', 'connect_failed', null],
  ])('%s: failed with class %s', (name, errorClass, httpStatus) => {
    const row = rowOf.get(name);
    expect(row).toMatchObject({ status: 'failed', error_class: errorClass, http_status: httpStatus });
    expect(row?.duration_ms).toBeLessThan(16_000);
    expect(row?.next_attempt_at).not.toBeNull();
  });

  it('sends 1 GiB with 200: delivered, a kilobyte read, memory where it was', () => {
    expect(rowOf.get('sends 1 GiB')).toMatchObject({ status: 'delivered', http_status: 200 });
    expect(rowOf.get('sends 1 GiB')?.duration_ms).toBeLessThan(16_000);
    expect(grownBytes).toBeLessThan(200 * 2 ** 20);
  });

  it('redirects: no one follows', () => {
    expect(elsewhere.connectionCount).toBe(0);
  });
});

describe('Retry-After', () => {
  const pauseMs = (name: string): number => {
    const row = rowOf.get(name);
    if (!row?.attempted_at || !row.next_attempt_at) throw new Error(`${name} has no next attempt`);
    return row.next_attempt_at.getTime() - row.attempted_at.getTime() - (row.duration_ms ?? 0);
  };
  // The end of an attempt and its duration are measured a moment apart.
  const slackMs = 700;

  it.each([
    ['429, 7 s', 7_000, 7_000],
    ['503, a date in 7 s', 5_000, 7_000],
    ['429, negative', 4_000, 6_000],
    ['503, huge', 10_000, 10_000],
    ['503, garbage', 4_000, 6_000],
    ['answers 500', 4_000, 6_000],
  ])('%s: the pause is between %i and %i ms', (name, leastMs, mostMs) => {
    expect(pauseMs(name)).toBeGreaterThan(leastMs - 50);
    expect(pauseMs(name)).toBeLessThan(mostMs + slackMs);
  });
});
