/*
 * Everything that disturbs a run on purpose: connections that are cut or stall here, responses that are lost, processes
 * that are killed or frozen, clocks that move. Every test and tool may import it. Every disturbance is undone
 * afterwards.
 */

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type Target = { port: number; host?: string } | { path: string };

/** Connections are cut with this chance, each after at most so many bytes of both directions. */
interface CutPlan {
  chance: number;
  withinBytes: number;
}

/** What decides where a connection is cut. */
interface Dice {
  int(below: number): number;
  chance(share: number): boolean;
}

/** A proxy between two parties, so that a test can cut one off from the other and reconnect them. */
export interface StreamProxy {
  port: number;
  /** Cuts every connection and refuses new ones. */
  pause(): Promise<void>;
  /** Resets every open TCP connection; new ones are accepted. */
  reset(): void;
  /** Stops forwarding: open connections stall, new ones are accepted and get no response. */
  stall(): void;
  /** Open connections stall for good; new ones work. */
  strand(): void;
  /** Ends every connection politely, and each new one as soon as it is there: a proxy without a live server. */
  hangUp(): void;
  resume(): Promise<void>;
  /** Each connection, old and new, follows the plan until it is undefined again. */
  cut(plan: CutPlan | undefined): void;
  cutCount(): number;
  close(): Promise<void>;
}

interface Pipe {
  inner: Socket;
  outer: Socket;
  leftBytes: number | undefined;
  isStranded: boolean;
}

const DICE: Dice = {
  int: (below) => Math.floor(Math.random() * below),
  chance: (share) => Math.random() < share,
};

export async function startProxy(target: () => Target, dice = DICE): Promise<StreamProxy> {
  const pipes = new Set<Pipe>();
  /** Connections without a target: held ones arrived during a stall, and are served when it ends. */
  const alone = new Map<Socket, 'held' | 'ended'>();
  let mode: 'pass' | 'stall' | 'hang up' = 'pass';
  let plan: CutPlan | undefined;
  let cuts = 0;
  const budget = () => (plan && dice.chance(plan.chance) ? dice.int(plan.withinBytes) : undefined);

  const end = (pipe: Pipe, abruptly = false) => {
    pipes.delete(pipe);
    for (const socket of [pipe.inner, pipe.outer]) {
      // Only TCP knows a reset; the database may be behind a Unix socket.
      if (abruptly && socket.remoteAddress !== undefined) socket.resetAndDestroy();
      else socket.destroy();
    }
  };
  const forward = (pipe: Pipe, from: Socket, to: Socket, chunk: Buffer) => {
    if (pipe.isStranded) return;
    if (pipe.leftBytes === undefined || chunk.length <= pipe.leftBytes) {
      if (pipe.leftBytes !== undefined) pipe.leftBytes -= chunk.length;
      if (to.write(chunk)) return;
      from.pause();
      to.once('drain', () => void (mode === 'stall' || pipe.isStranded || from.resume()));
      return;
    }
    cuts += 1;
    to.write(chunk.subarray(0, pipe.leftBytes), () => end(pipe, dice.chance(0.5)));
    pipe.leftBytes = 0;
  };
  const join = (inner: Socket) => {
    const outer = connect(target());
    const pipe: Pipe = { inner, outer, leftBytes: budget(), isStranded: false };
    pipes.add(pipe);
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      from.setNoDelay(true);
      from.on('data', (chunk: Buffer) => forward(pipe, from, to, chunk));
      from.on('end', () => to.end());
      from.on('error', () => end(pipe));
      from.on('close', () => end(pipe));
    }
    inner.resume();
  };
  const server = createServer((inner) => {
    if (mode === 'pass') return join(inner);
    alone.set(inner, mode === 'stall' ? 'held' : 'ended');
    inner.on('error', () => inner.destroy()).on('close', () => alone.delete(inner));
    if (mode === 'stall') inner.pause();
    else inner.end();
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const pipe of pipes) end(pipe);
      for (const socket of alone.keys()) socket.destroy();
    });
  const sockets = () => [...pipes].flatMap(({ inner, outer }) => [inner, outer]);
  return {
    port,
    pause: stop,
    close: stop,
    reset() {
      for (const { inner } of pipes) inner.resetAndDestroy();
      for (const socket of alone.keys()) socket.resetAndDestroy();
    },
    stall() {
      mode = 'stall';
      for (const socket of sockets()) socket.pause();
    },
    strand() {
      for (const pipe of pipes) pipe.isStranded = true;
      for (const socket of sockets()) socket.pause();
    },
    hangUp() {
      mode = 'hang up';
      for (const { inner } of pipes) inner.end();
      for (const socket of alone.keys()) socket.end();
    },
    async resume() {
      mode = 'pass';
      for (const socket of sockets()) socket.resume();
      for (const [socket, state] of alone) {
        if (state === 'ended') continue;
        alone.delete(socket);
        if (!socket.destroyed) join(socket);
      }
      if (!server.listening) await listen(port);
    },
    cut(next) {
      plan = next;
      for (const pipe of pipes) pipe.leftBytes = budget();
    },
    cutCount: () => cuts,
  };
}

export interface TcpProxy extends StreamProxy {
  /** As `DATABASE_URL`. */
  url: string;
}

/** In front of a database. */
export async function createTcpProxy(databaseUrl: string, dice = DICE): Promise<TcpProxy> {
  const url = new URL(databaseUrl);
  const folder = url.searchParams.get('host');
  const target: Target =
    folder === null
      ? { host: url.hostname, port: Number(url.port) }
      : { path: `${folder}/.s.PGSQL.${url.port || 5432}` };
  const proxy = await startProxy(() => target, dice);
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  return { ...proxy, url: url.href };
}
