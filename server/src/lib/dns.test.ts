import { startDnsServer, type TestDnsServer } from '@payassent/proof/surroundings/surroundings';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDns, type Dns, DnsError, parseDnsServer } from './dns.ts';

/** Enough for a busy machine: these lookups succeed or fail immediately. */
const PATIENT_MS = 30_000;

let server: TestDnsServer;
let dns: Dns;

beforeAll(async () => {
  server = await startDnsServer();
  dns = createDns([server.address]);
});
beforeEach(() => server.clear());
afterAll(() => server.close());

async function reasonOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => 'no error',
    (fault: unknown) => fault,
  );
  expect(error).toBeInstanceOf(DnsError);
  return error instanceof DnsError ? error.reason : '';
}

describe('TXT lookups', () => {
  it('join the strings of one record and keep records apart', async () => {
    server.set('shop.example', 'TXT', [['one ', 'half ', 'each'], 'another']);
    expect(await dns.txt('shop.example', PATIENT_MS)).toEqual(['one half each', 'another']);
  });

  it('deliver a response that only fits over TCP', async () => {
    const long = Array.from({ length: 40 }, (_, index) => `${index} ${'x'.repeat(190)}`);
    server.set('long.example', 'TXT', long);
    expect((await dns.txt('long.example', PATIENT_MS)).sort()).toEqual(long.sort());
  });

  it('see a changed record immediately, so that a team member who fixes DNS need not wait', async () => {
    server.setSequence('shop.example', 'TXT', [['before'], ['after']]);
    expect(await dns.txt('shop.example', PATIENT_MS)).toEqual(['before']);
    expect(await dns.txt('shop.example', PATIENT_MS)).toEqual(['after']);
  });

  it('distinguish a missing name, a missing record, a refusal and a broken server', async () => {
    server.set('only-a.example', 'A', ['192.0.2.1']);
    server.fail('broken.example', 'SERVFAIL');
    server.fail('closed.example', 'REFUSED');
    expect(await reasonOf(dns.txt('nowhere.example', PATIENT_MS))).toBe('not_found');
    expect(await reasonOf(dns.txt('only-a.example', PATIENT_MS))).toBe('no_data');
    expect(await reasonOf(dns.txt('broken.example', PATIENT_MS))).toBe('failed');
    expect(await reasonOf(dns.txt('closed.example', PATIENT_MS))).toBe('refused');
  });

  it('end within their time when the server is silent or slow', async () => {
    server.fail('silent.example', 'silence');
    server.set('slow.example', 'TXT', ['late']);
    server.delay('slow.example', 60_000);
    const startedMs = performance.now();
    expect(await reasonOf(dns.txt('silent.example', 400))).toBe('timeout');
    expect(await reasonOf(dns.txt('slow.example', 400))).toBe('timeout');
    expect(performance.now() - startedMs).toBeLessThan(30_000);
  });

  it('survive one lost packet', async () => {
    server.set('lossy.example', 'TXT', ['here']);
    server.fail('lossy.example', 'silence');
    const answer = dns.txt('lossy.example', 4_000);
    await expect.poll(() => server.queries.length).toBe(1);
    server.fail('lossy.example', undefined);
    expect(await answer).toEqual(['here']);
  });

  it('reach the second server when the first one is away', async () => {
    const gone = await startDnsServer();
    await gone.close();
    server.set('shop.example', 'TXT', ['here']);
    const both = createDns([gone.address, server.address]);
    expect(await both.txt('shop.example', 3_000)).toEqual(['here']);
    expect(await reasonOf(createDns([gone.address]).txt('shop.example', 1_000))).toBe('refused');
  });

  it('do not take each other down: one that times out leaves a parallel one alone', async () => {
    server.fail('silent.example', 'silence');
    server.set('slow.example', 'TXT', ['patience']);
    server.delay('slow.example', 600);
    const [silent, slow] = await Promise.all([
      reasonOf(dns.txt('silent.example', 200)),
      dns.txt('slow.example', 3_000),
    ]);
    expect(silent).toBe('timeout');
    expect(slow).toEqual(['patience']);
  });
});

describe('address lookups', () => {
  it('give IPv4 and IPv6 addresses together, IPv4 first', async () => {
    server.set('both.example', 'AAAA', ['2001:db8::1']);
    server.set('both.example', 'A', ['192.0.2.1', '192.0.2.2']);
    const addresses = await dns.addresses('both.example', PATIENT_MS);
    expect(addresses.slice(0, 2).sort()).toEqual(['192.0.2.1', '192.0.2.2']);
    expect(addresses.slice(2)).toEqual(['2001:db8::1']);
  });

  it('are content with one family', async () => {
    server.set('v4.example', 'A', ['192.0.2.1']);
    server.set('v6.example', 'AAAA', ['2001:db8::1']);
    expect(await dns.addresses('v4.example', PATIENT_MS)).toEqual(['192.0.2.1']);
    expect(await dns.addresses('v6.example', PATIENT_MS)).toEqual(['2001:db8::1']);
  });

  it('do not wait for a family whose queries are dropped', async () => {
    server.set('half.example', 'A', ['192.0.2.1']);
    server.fail('half.example', 'silence', 'AAAA');
    const startedMs = performance.now();
    expect(await dns.addresses('half.example', 8_000)).toEqual(['192.0.2.1']);
    expect(performance.now() - startedMs).toBeLessThan(6_000);
  });

  it('fail with the more specific reason', async () => {
    server.set('txt-only.example', 'TXT', ['x']);
    expect(await reasonOf(dns.addresses('txt-only.example', PATIENT_MS))).toBe('no_data');
    server.fail('txt-only.example', 'SERVFAIL', 'AAAA');
    expect(await reasonOf(dns.addresses('txt-only.example', PATIENT_MS))).toBe('failed');
    expect(await reasonOf(dns.addresses('nowhere.example', PATIENT_MS))).toBe('not_found');
  });

  it('do not consult the hosts file', async () => {
    expect(await reasonOf(dns.addresses('localhost', PATIENT_MS))).toBe('not_found');
  });
});

describe('server addresses', () => {
  it('are hosts with or without a port', () => {
    expect(parseDnsServer('127.0.0.1:5353')).toEqual({ host: '127.0.0.1', port: 5353 });
    expect(parseDnsServer('9.9.9.9')).toEqual({ host: '9.9.9.9', port: 53 });
    expect(parseDnsServer('::1')).toEqual({ host: '::1', port: 53 });
    expect(parseDnsServer('[::1]:5353')).toEqual({ host: '::1', port: 5353 });
    expect(parseDnsServer('resolver.internal:53')).toEqual({ host: 'resolver.internal', port: 53 });
  });

  it.each([
    '',
    ':53',
    '1.1.1.1:0',
    '1.1.1.1:65536',
    '1.1.1.1:dns',
    '[::1',
    '[1.1.1.1]:53',
    'a b',
    'dns://x',
    '::1:x',
  ])('are not %j', (text) => {
    expect(parseDnsServer(text)).toBeUndefined();
    expect(() => createDns([text])).toThrow(TypeError);
  });

  it('may be a name that the system knows', async () => {
    server.set('shop.example', 'TXT', ['here']);
    const port = server.address.split(':')[1];
    expect(await createDns([`localhost:${port}`]).txt('shop.example', PATIENT_MS)).toEqual(['here']);
  });
});
