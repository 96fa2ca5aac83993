import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { startDnsServer, type TestDnsServer } from '@payassent/proof/surroundings/surroundings';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDns } from '../dns.ts';
import { createOutbound, type Outbound, type OutboundResult } from './index.ts';

// Counts connections, not requests: a rejection after connecting is none.
let sink: Server;
let port = 0;
let reached = 0;
let dnsServer: TestDnsServer;
let outbound: Outbound;

beforeAll(async () => {
  dnsServer = await startDnsServer();
  outbound = createOutbound({ dns: createDns([dnsServer.address]), allowLoopback: false });
  const onConnection = () => {
    reached += 1;
  };
  sink = createServer(onConnection);
  // Every address of this machine, IPv6 included where there is any.
  sink.listen({ port: 0 });
  await once(sink, 'listening');
  port = (sink.address() as AddressInfo).port;
});
afterAll(async () => {
  await outbound.close();
  await dnsServer.close();
  sink.close();
});

async function attempt(url: string): Promise<OutboundResult> {
  return await outbound.send({ url, method: 'POST', body: '{}', deadlineMs: 2_000, maxBodyBytes: 1_024 });
}

const hosts = [
  // Loopback, plainly and in every notation of inet_aton.
  '127.0.0.1',
  '127.0.0.2',
  '127.127.127.127',
  '127.255.255.254',
  '127.1',
  '127.0.1',
  '127.0.0.1.',
  '127.1.',
  '2130706433',
  '2130706433.',
  '017700000001',
  '0x7f000001',
  '0X7F000001',
  '0x7f.1',
  '0x7f.0x0.0x0.0x1',
  '0177.0.0.1',
  '0177.0.0.0x1',
  '00000177.1',
  '0x07f.0.0.01',
  '127.0.0.0x1',
  // This host, all interfaces.
  '0.0.0.0',
  '0',
  '0x0',
  '00',
  '0.0',
  '0.0.0.1',
  // Digits and dots from other Unicode blocks.
  '１２７.0.0.1',
  '①②⑦.⓪.⓪.①',
  '１２７。０。０。１',
  '127｡0｡0｡1',
  '𝟏𝟐𝟕.𝟎.𝟎.𝟏',
  '𝟘.𝟘.𝟘.𝟘',
  '１２７．１',
  '%31%32%37.0.0.1',
  '127%2e0%2e0%2e1',
  '12\u00ad7.0.0.1',
  '127.0.0.\u200b1',
  // IPv6 loopback and unspecified.
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000:0000:0000:0000:0000:0000:0000:0001]',
  '[::0.0.0.1]',
  '[::]',
  '[::%31]',
  '[::1%25lo]',
  '[::1%lo]',
  // IPv4 inside IPv6: mapped, compatible, translated, NAT64, 6to4, Teredo.
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::FFFF:7F00:0001]',
  '[0:0:0:0:0:ffff:127.0.0.1]',
  '[::127.0.0.1]',
  '[::7f00:1]',
  '[::ffff:0:127.0.0.1]',
  '[::ffff:0.0.0.0]',
  '[::ffff:169.254.169.254]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b::169.254.169.254]',
  '[64:ff9b:1::127.0.0.1]',
  '[2002:7f00:1::]',
  '[2002:a9fe:a9fe::1]',
  '[2001:0:53aa:64c:0:0:80ff:fffe]',
  '[2001::80ff:fffe]',
  // Link-local, metadata services, private ranges, this machine's own other addresses.
  '169.254.169.254',
  '169.254.170.2',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '169.254.43518',
  '[fe80::1]',
  '[fe80::1%25eth0]',
  '[fd00:ec2::254]',
  '[fd00::2]',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '192.0.2.2',
  '100.64.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '[fec0::1]',
  '[ff02::1]',
  // Names that always mean this machine.
  'localhost',
  'LOCALHOST',
  'localhost.',
  'ｌｏｃａｌｈｏｓｔ',
  'hooks.localhost',
  'lo%63alhost',
];

// The text around the host may also mislead.
const wholeUrls = [
  'https://user@127.0.0.1:PORT/',
  'https://shop.example@127.0.0.1:PORT/',
  'https://127.0.0.1:PORT#@shop.example/',
  'https://127.0.0.1:PORT\\@shop.example/',
  'https://shop.example:443@127.0.0.1:PORT/',
  'https:127.0.0.1:PORT/',
  'https:/127.0.0.1:PORT/',
  'https:\\\\127.0.0.1:PORT/',
  'https:///127.0.0.1:PORT/',
  'https://127.0.0.1\t:PORT/',
  '\u0000https://127.0.0.1:PORT/',
  '//127.0.0.1:PORT/',
  'ws://127.0.0.1:PORT/',
  'wss://127.0.0.1:PORT/',
  'ftp://127.0.0.1:PORT/',
  'gopher://127.0.0.1:PORT/_x',
  'file://127.0.0.1:PORT/etc/passwd',
  'blob:https://127.0.0.1:PORT/x',
  'unix://127.0.0.1:PORT/x',
];

describe('no spelling of an inner address reaches a listener on this machine', () => {
  it('and the listener would have noticed', async () => {
    const local = createOutbound({ dns: createDns([dnsServer.address]), allowLoopback: true });
    const v6 = (sink.address() as AddressInfo).family === 'IPv6' ? ['[::1]'] : [];
    for (const host of ['127.0.0.1', 'localhost', '2130706433', ...v6]) {
      const before = reached;
      await local.send({
        url: `http://${host}:${port}/`,
        method: 'GET',
        deadlineMs: 200,
        maxBodyBytes: 1,
      });
      expect(reached, host).toBeGreaterThan(before);
    }
    await local.close();
  });

  it.each([...new Set(hosts)])('host %s', async (host) => {
    const before = reached;
    for (const scheme of ['http', 'https']) {
      const result = await attempt(`${scheme}://${host}:${port}/latest/meta-data/`);
      expect(result.ok).toBe(false);
      expect(['blocked_address', 'invalid_url']).toContain(result.ok ? 'ok' : result.errorClass);
    }
    expect(reached).toBe(before);
    expect(dnsServer.queries).toEqual([]);
  });

  it.each(wholeUrls)('address %j', async (template) => {
    const before = reached;
    const result = await attempt(template.replace('PORT', String(port)));
    expect(result.ok ? 'ok' : result.errorClass).toMatch(/^(blocked_address|invalid_url)$/);
    expect(reached).toBe(before);
  });
});

describe('no name that leads to an inner address reaches a listener on this machine', () => {
  const answers: [string, { a?: string[]; aaaa?: string[] }][] = [
    ['loopback', { a: ['127.0.0.1'] }],
    ['loopback of IPv6', { aaaa: ['::1'] }],
    ['another loopback address', { a: ['127.8.8.8'] }],
    ['unspecified', { a: ['0.0.0.0'], aaaa: ['::'] }],
    ['mapped loopback', { aaaa: ['::ffff:127.0.0.1'] }],
    ['NAT64 of loopback', { aaaa: ['64:ff9b::7f00:1'] }],
    ['6to4 of loopback', { aaaa: ['2002:7f00:1::'] }],
    ['metadata', { a: ['169.254.169.254'] }],
    ['private', { a: ['10.1.2.3'] }],
    ['public first, loopback after', { a: ['8.8.8.8', '127.0.0.1'] }],
    ['loopback first, public after', { a: ['127.0.0.1', '8.8.8.8'] }],
    ['public IPv4 with loopback IPv6', { a: ['8.8.8.8'], aaaa: ['::1'] }],
    ['public IPv6 with private IPv4', { a: ['192.168.1.1'], aaaa: ['2606:4700:4700::1111'] }],
  ];
  it.each(answers)('%s', async (_what, { a = [], aaaa = [] }) => {
    dnsServer.clear();
    dnsServer.set('rebind.example', 'A', a);
    dnsServer.set('rebind.example', 'AAAA', aaaa);
    const before = reached;
    const result = await attempt(`https://rebind.example:${port}/`);
    expect(result).toMatchObject({ ok: false, errorClass: 'blocked_address' });
    expect(reached).toBe(before);
  });
});
