import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** A TCP port on loopback that nobody listens on at this moment: any, or this one; EADDRINUSE when it is taken. */
export async function freePort(wanted = 0): Promise<number> {
  const server = createServer();
  server.listen(wanted, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
