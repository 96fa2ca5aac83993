import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { freePort, refuseTakenPort } from './free-port.ts';

it('is outside of the range from which the system takes ports for others', async ({ skip }) => {
  const range = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8');
  const [from = 0, to = 0] = range.trim().split(/\s+/).map(Number);
  if (from <= 10_000) skip('this system takes ports for others from everywhere');
  for (let i = 0; i < 20; i += 1) {
    const port = await freePort();
    expect(port < from || port > to).toBe(true);
  }
});

it('returns no port twice, even before any server uses it', async () => {
  const narrow = { from: 31_000, to: 31_049 };
  const ports = await Promise.all(Array.from({ length: 30 }, () => freePort(narrow)));
  expect(new Set(ports).size).toBe(30);
});

it('refuses a port that a server already uses', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await expect(refuseTakenPort(port)).rejects.toThrow('EADDRINUSE');
  await new Promise((resolve) => server.close(resolve));
  await refuseTakenPort(port);
});
