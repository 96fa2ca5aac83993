/** Ports on loopback. The scripts run before anything is built. */
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Holds a port until it is closed; rejects when another program has it. */
export async function occupyPort(port) {
  const server = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** A port that is free at this moment. */
export async function freePort() {
  const server = await occupyPort(0);
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
