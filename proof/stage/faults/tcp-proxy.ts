import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands between a service and its database, so that a test can take the database away and give it back. */
export interface TcpProxy {
  /** As `DATABASE_URL`. */
  url: string;
  /** Cuts every connection and refuses new ones. */
  pause(): Promise<void>;
  /** Answers every open connection with a TCP reset; new ones are taken. */
  reset(): void;
  /** Nothing is heard any more: open connections stand still, new ones are taken and get no answer. */
  stall(): void;
  /** Open connections stand still for good; new ones work. */
  strand(): void;
  /** Ends every connection politely, and each new one as soon as it is there: a proxy without a live server. */
  hangUp(): void;
  resume(): Promise<void>;
  close(): Promise<void>;
}

export async function createTcpProxy(databaseUrl: string): Promise<TcpProxy> {
  const target = new URL(databaseUrl);
  const folder = target.searchParams.get('host');
  const place =
    folder === null
      ? { host: target.hostname, port: Number(target.port) }
      : { path: `${folder}/.s.PGSQL.${target.port || 5432}` };
  const sockets = new Set<Socket>();
  let mode: 'pass' | 'stall' | 'hang up' = 'pass';
  /** Connections that came while nothing was heard; they are served when it goes on. */
  const held: Socket[] = [];
  const track = (socket: Socket, other?: Socket) => {
    sockets.add(socket);
    socket.on('error', () => other?.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      other?.destroy();
    });
  };
  const join = (inner: Socket) => {
    const outer = connect(place);
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      track(from, to);
      from.pipe(to);
    }
  };
  const server = createServer((inner) => {
    if (mode === 'pass') return join(inner);
    track(inner);
    if (mode === 'hang up') inner.end();
    else held.push(inner.pause());
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
  const strand = () => {
    for (const socket of sockets) socket.unpipe().pause();
  };
  const stall = () => {
    mode = 'stall';
    for (const socket of sockets) socket.pause();
  };
  const hangUp = () => {
    mode = 'hang up';
    for (const socket of sockets) if (socket.localPort === port) socket.end();
  };
  const resume = async () => {
    mode = 'pass';
    for (const socket of sockets) socket.resume();
    for (const socket of held.splice(0)) if (!socket.destroyed) join(socket);
    if (!server.listening) await listen(port);
  };
  return { url: url.href, reset, stall, strand, hangUp, pause: stop, resume, close: stop };
}
