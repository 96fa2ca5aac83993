// Slow: starts whole services as processes.
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { connect } from 'node:net';
import { MerchantClient } from '@payassent/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { startDnsServer } from './dns-server.ts';
import { freePort } from './free-port.ts';
import { startLoopbackServer } from './loopback-server.ts';
import { startWorld, type World } from './world.ts';

let world: World | undefined;
afterEach(async () => {
  await world?.stop();
  world = undefined;
});

describe('a world', () => {
  it('has a service that mails, looks up names and posts webhooks in it; its end removes its data', async () => {
    world = await startWorld({ service: { env: { SVC_LOG_LEVEL: 'error' } } });
    const { service, mail, dns, webhooks } = world;
    const merchant = new MerchantClient({ baseUrl: service.url });
    await merchant.sessions.requestLink({ email: 'ada@shop.example' });
    const { text } = await mail.waitForMail('ada@shop.example');
    const token = /#token=(\S+)/.exec(text)?.[1] ?? '';
    const { session_grant } = await merchant.sessions.verifyEmail({ token });
    const { next_grant } = await merchant.sessions.createOrganization({ session_grant, name: 'Shop' });
    await merchant.sessions.open({ next_grant });
    const { domain, challenge } = await merchant.domains.create({ domain: 'shop.example' });
    dns.set(challenge.dns.name, 'TXT', [challenge.dns.value]);
    expect((await merchant.domains.verify(domain.domain_id)).merchant.status).toBe('active');
    const { webhook_endpoint, secret } = await merchant.webhooks.create({ url: `${webhooks.url}/hooks` });
    webhooks.addSecret(secret);
    const { webhook_endpoint_id: id } = webhook_endpoint;
    expect((await merchant.webhooks.verify(id)).webhook_endpoint.status).toBe('active');

    // A client that has connected and says nothing does not hold the end back.
    const silent = connect(Number(new URL(service.address).port), '127.0.0.1').on('error', () => undefined);
    await once(silent, 'connect');
    const startedAt = performance.now();
    await Promise.all([world.stop(), world.stop()]);
    expect(performance.now() - startedAt).toBeLessThan(40_000);
    silent.destroy();
    expect(service.child.exitCode).toBe(0);
    await expect(access(service.dataDir)).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(fetch(`${service.address}/health`)).rejects.toThrow();
  }, 60_000);

  it('that cannot start in full leaves nothing running', async () => {
    const [dns, smtp, webhooks] = [await freePort(), await freePort(), await freePort()];
    const ports = { dns, smtp, webhooks };
    const service = { env: { SVC_WORKERS: 'many' } };
    await expect(startWorld({ ports, service })).rejects.toThrow('SVC_WORKERS');
    const again = await startDnsServer({ port: dns });
    await again.close();
    for (const port of [smtp, webhooks]) {
      const socket = connect(port, '127.0.0.1');
      const [error] = await once(socket, 'error').catch((reason: unknown) => [reason]);
      expect(error).toMatchObject({ code: 'ECONNREFUSED' });
    }
  }, 60_000);

  it('does not take another program on its port for its service', async () => {
    const stranger = await startLoopbackServer(() => ({ status: 200, body: '{"ok":true}' }));
    const starting = startWorld({ ports: { service: stranger.port } });
    await expect(starting).rejects.toMatchObject({ code: 'EADDRINUSE', port: stranger.port });
    await stranger.close();
  }, 60_000);

  it('gives up its start when told to', async () => {
    const startedAt = performance.now();
    const starting = startWorld({ signal: AbortSignal.timeout(300) });
    await expect(starting).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(performance.now() - startedAt).toBeLessThan(45_000);
  }, 60_000);
});
