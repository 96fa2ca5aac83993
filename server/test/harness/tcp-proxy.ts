import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands between a service and its database, so that a test can take the database away and give it back. */
export interface TcpProxy {
  /** As `DATABASE_URL`. */
  url: string;
  /** Cuts every connection and refuses new ones. */
  pause(): Promise<void>;
  /** Answers every open connection with a TCP reset; new ones are taken. */
  reset(): void;
  resume(): Promise<void>;
  close(): Promise<void>;
}

export async function createTcpProxy(databaseUrl: string): Promise<TcpProxy> {
  const target = new URL(databaseUrl);
  const socketPath = `${target.searchParams.get('host')}/.s.PGSQL.${target.port || 5432}`;
  const sockets = new Set<Socket>();
  const server = createServer((inner) => {
    const outer = connect(socketPath);
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const url = new URL(databaseUrl);
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String(port);
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  const reset = () => {
    for (const socket of sockets) if (socket.localPort === port) socket.resetAndDestroy();
  };
  return { url: url.href, reset, pause: stop, resume: () => listen(port), close: stop };
}
