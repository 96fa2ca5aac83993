import { createServer } from 'node:net';

/** A port on loopback that nobody listens on at this moment. The scripts run before anything is built. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
