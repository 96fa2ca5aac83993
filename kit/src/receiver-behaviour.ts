import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The ways in which a receiver answers, or fails to. */
export type Behaviour =
  | {
      kind: 'answer';
      status?: number;
      headers?: Record<string, string>;
      body?: string | Uint8Array;
      delayMs?: number;
      /** Not before this has happened. */
      after?: Promise<unknown>;
    }
  | { kind: 'redirect'; location: string; status?: number }
  | { kind: 'never' }
  /** A header line now and then, without end. */
  | { kind: 'drip-headers'; everyMs: number }
  /** 200, then a byte now and then, without end. */
  | { kind: 'drip-body'; everyMs: number }
  /** 103 now and then, without end. */
  | { kind: 'drip-informational'; everyMs: number }
  | { kind: 'huge-body'; bytes: number }
  | { kind: 'huge-headers'; bytes: number }
  | { kind: 'reset'; when: 'before-headers' | 'in-body' }
  /** Bytes that are no HTTP. */
  | { kind: 'garbage' }
  /** These bytes and nothing else, then the end of the connection. */
  | { kind: 'raw'; bytes: string };

export function behave(behaviour: Behaviour, response: ServerResponse): void {
  const socket = response.socket;
  response.on('error', () => undefined);
  if (socket === null) return;
  switch (behaviour.kind) {
    case 'answer':
      answer(behaviour, response);
      break;
    case 'redirect':
      response.writeHead(behaviour.status ?? 302, { location: behaviour.location }).end();
      break;
    case 'never':
      break;
    case 'drip-headers':
      drip(socket, 'HTTP/1.1 200 OK\r\n', 'x-more: to come\r\n', behaviour.everyMs);
      break;
    case 'drip-body':
      drip(socket, 'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n', '.', behaviour.everyMs);
      break;
    case 'drip-informational':
      drip(socket, '', 'HTTP/1.1 103 Early Hints\r\n\r\n', behaviour.everyMs);
      break;
    case 'huge-body':
      hugeBody(behaviour.bytes, response);
      break;
    case 'huge-headers':
      socket.end(`HTTP/1.1 200 OK\r\nx-huge: ${'a'.repeat(behaviour.bytes)}\r\ncontent-length: 0\r\n\r\n`);
      break;
    case 'reset':
      reset(behaviour.when, socket);
      break;
    case 'garbage':
      socket.end('\u0000\u0001 these are not the bytes you are looking for \r\n\r\n');
      break;
    case 'raw':
      socket.end(behaviour.bytes, 'latin1');
  }
}

function answer(behaviour: Extract<Behaviour, { kind: 'answer' }>, response: ServerResponse): void {
  const { status = 200, headers = {}, body = '', delayMs = 0, after } = behaviour;
  const reply = (): void => void response.writeHead(status, headers).end(body);
  if (after) {
    void after.then(reply);
    return;
  }
  if (delayMs === 0) {
    reply();
    return;
  }
  const timer = setTimeout(reply, delayMs);
  response.once('close', () => clearTimeout(timer));
}

function drip(socket: Socket, opening: string, drop: string, everyMs: number): void {
  socket.write(opening);
  const timer = setInterval(() => socket.write(drop), everyMs);
  socket.once('close', () => clearInterval(timer));
}

function hugeBody(bytes: number, response: ServerResponse): void {
  const chunk = Buffer.alloc(65_536, 0x61);
  let remaining = bytes;
  response.writeHead(200, { 'content-length': String(bytes) });
  const pump = (): void => {
    while (remaining > 0 && !response.destroyed) {
      const part = chunk.subarray(0, Math.min(remaining, chunk.length));
      remaining -= part.length;
      if (!response.write(part)) return void response.once('drain', pump);
    }
    response.end();
  };
  pump();
}

function reset(when: 'before-headers' | 'in-body', socket: Socket): void {
  if (when === 'before-headers') return void socket.resetAndDestroy();
  socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf', () => socket.resetAndDestroy());
}
