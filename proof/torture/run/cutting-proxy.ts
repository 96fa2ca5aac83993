import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Random } from './random.ts';

export type Target = { port: number } | { path: string };

/** Stands between two parties and cuts what passes at random bytes while it is told to. */
export interface CuttingProxy {
  port: number;
  /** Each connection, old and new, is cut with this chance after at most so many bytes; undefined ends it. */
  cut(plan: { chance: number; withinBytes: number } | undefined): void;
  cutCount(): number;
  close(): Promise<void>;
}

interface Pipe {
  inner: Socket;
  outer: Socket;
  /** Bytes of both directions until the cut. */
  leftBytes: number | undefined;
}

export async function startCuttingProxy(target: () => Target, random: Random): Promise<CuttingProxy> {
  const pipes = new Set<Pipe>();
  let plan: { chance: number; withinBytes: number } | undefined;
  let cuts = 0;
  const budget = () => (plan && random.chance(plan.chance) ? random.int(plan.withinBytes) : undefined);

  const end = (pipe: Pipe, abruptly: boolean) => {
    pipes.delete(pipe);
    for (const socket of [pipe.inner, pipe.outer]) {
      // Only TCP knows a reset; the database may be behind a Unix socket.
      if (abruptly && socket.remoteAddress !== undefined) socket.resetAndDestroy();
      else socket.destroy();
    }
  };
  const forward = (pipe: Pipe, to: Socket, chunk: Buffer) => {
    if (pipe.leftBytes === undefined) return void to.write(chunk);
    if (chunk.length <= pipe.leftBytes) {
      pipe.leftBytes -= chunk.length;
      return void to.write(chunk);
    }
    cuts += 1;
    to.write(chunk.subarray(0, pipe.leftBytes), () => end(pipe, random.chance(0.5)));
    pipe.leftBytes = 0;
  };
  const server = createServer((inner) => {
    const outer = connect(target());
    const pipe: Pipe = { inner, outer, leftBytes: budget() };
    pipes.add(pipe);
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      from.setNoDelay(true);
      from.on('data', (chunk: Buffer) => forward(pipe, to, chunk));
      from.on('error', () => end(pipe, false));
      from.on('close', () => end(pipe, false));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cut(next) {
      plan = next;
      for (const pipe of pipes) pipe.leftBytes = budget();
    },
    cutCount: () => cuts,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const pipe of [...pipes]) end(pipe, false);
      await closed;
    },
  };
}
