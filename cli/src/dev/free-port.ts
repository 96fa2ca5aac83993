import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Systems take the ports of outgoing connections, and of servers that request any port, from a range above this one. A
 * port of that range may be taken again before the process that it was found for binds it.
 */
const OWN_RANGE = { from: 10_000, to: 32_767 };

/** A free TCP port on loopback, which no other process that calls this function gets while this one is running. */
export async function freePort({ from, to } = OWN_RANGE): Promise<number> {
  for (let tries = 0; tries < 1000; tries += 1) {
    const port = randomInt(from, to + 1);
    if ((await claim(port)) && (await isFree(port))) return port;
  }
  throw new Error(`No port from ${from} to ${to} is free.`);
}

/** Throws EADDRINUSE when another process has bound the port. */
export async function refuseTakenPort(port: number): Promise<void> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}

async function isFree(port: number): Promise<boolean> {
  try {
    await refuseTakenPort(port);
    return true;
  } catch {
    return false;
  }
}

/**
 * Only one process at a time can bind this address, and the system frees it when the process ends. It is in no one's
 * way: servers bind the port at other addresses. Where there is no second loopback address, nothing is claimed.
 */
async function claim(port: number): Promise<boolean> {
  const socket = createSocket('udp4');
  try {
    socket.bind({ port, address: '127.0.0.2', exclusive: true });
    await once(socket, 'listening');
    socket.unref();
    return true;
  } catch (error) {
    socket.close();
    return (error as NodeJS.ErrnoException).code === 'EADDRNOTAVAIL';
  }
}
