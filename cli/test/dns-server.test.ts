import { Resolver } from 'node:dns/promises';
import { type DnsServer, startDnsServer } from '@payassent/proof/surroundings/dns-server';
import { afterEach, describe, expect, it } from 'vitest';

const servers: DnsServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

async function start(options: { port?: number } = {}): Promise<{ dns: DnsServer; resolver: Resolver }> {
  const dns = await startDnsServer(options);
  servers.push(dns);
  const resolver = new Resolver({ timeout: 2000, tries: 1 });
  resolver.setServers([dns.address]);
  return { dns, resolver };
}

describe('the name server', () => {
  it('publishes each record it is given, replaces it and removes it', async () => {
    const { dns, resolver } = await start();
    dns.set('_svc-challenge.Shop.example', 'TXT', ['first', ['in ', 'parts']]);
    expect(await resolver.resolveTxt('_svc-challenge.shop.example')).toEqual([['first'], ['in ', 'parts']]);
    dns.set('_svc-challenge.shop.example.', 'TXT', ['second']);
    expect(await resolver.resolveTxt('_svc-challenge.shop.example')).toEqual([['second']]);
    dns.remove('_svc-challenge.shop.example');
    await expect(resolver.resolveTxt('_svc-challenge.shop.example')).rejects.toMatchObject({
      code: 'ENOTFOUND',
    });
  });

  it('reports that the requested port is taken', async () => {
    const { dns } = await start();
    const port = Number(dns.address.split(':')[1]);
    await expect(startDnsServer({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('responds over TCP when a response does not fit into a datagram', async () => {
    const { dns, resolver } = await start();
    const long = Array.from({ length: 12 }, (_, index) => `${index}-`.padEnd(200, 'x'));
    dns.set('long.example', 'TXT', long);
    expect((await resolver.resolveTxt('long.example')).flat().toSorted()).toEqual(long.toSorted());
  });
});
