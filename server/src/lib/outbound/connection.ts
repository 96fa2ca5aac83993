import type { Socket } from 'node:net';
import { classify, OutboundFault } from './fault.ts';
import type { ResponseReader } from './response-reader.ts';

/** Makes a judged connection; the signal ends the attempt. */
export type Connect = (signal: AbortSignal) => Promise<Socket>;

/** A request as it goes over the wire. */
export interface Wire {
  head: string;
  body: string | Uint8Array;
}

interface Exchange {
  wire: Wire;
  reader: ResponseReader;
  done: (fault?: OutboundFault) => void;
  isSent: boolean;
}

/**
 * One connection that carries one request at a time, or the attempt to make it. Node's own client and undici do the
 * same for any use; this does what the sender needs, with a third of their work for each request.
 */
export class Connection {
  readonly origin: string;
  readonly bornMs = Date.now();
  /** In the hands of a request. */
  isLeased = true;
  isDestroyed = false;
  /** On the clock that never jumps: from then on it is not used again. */
  idleUntilMs = Number.POSITIVE_INFINITY;

  readonly #connect: Connect;
  readonly #attempt = new AbortController();
  readonly #onLost: (connection: Connection) => void;
  #socket: Socket | undefined;
  #exchange: Exchange | undefined;

  /** `onLost` is called when it ends while no request has it. */
  constructor(origin: string, connect: Connect, onLost: (connection: Connection) => void) {
    this.origin = origin;
    this.#connect = connect;
    this.#onLost = onLost;
  }

  /** `done` is called once: with the fault, or when the reader has what it wanted. */
  send(wire: Wire, reader: ResponseReader, done: (fault?: OutboundFault) => void): void {
    const exchange: Exchange = { wire, reader, done, isSent: false };
    this.#exchange = exchange;
    if (this.#socket === undefined) this.#open(exchange);
    // A receiver that closes behind its response without having said so gets a turn of the event loop to be noticed.
    else setImmediate(() => this.#write(exchange));
  }

  /** Ends it, and the attempt to make it, at once. */
  destroy(): void {
    this.isDestroyed = true;
    this.#attempt.abort();
    this.#socket?.destroy();
    this.#end(new OutboundFault('aborted', 'the connection was given up'));
  }

  /** Does a connection that waits keep the process alive? */
  hold(isHeld: boolean): void {
    if (isHeld) this.#socket?.ref();
    else this.#socket?.unref();
  }

  #open(exchange: Exchange): void {
    this.#connect(this.#attempt.signal).then(
      (socket) => {
        if (this.isDestroyed) return void socket.destroy();
        this.#listen(socket);
        this.#write(exchange);
      },
      (error: unknown) => this.#end(classify(error)),
    );
  }

  #listen(socket: Socket): void {
    this.#socket = socket;
    socket.on('data', (bytes: Buffer) => this.#receive(bytes));
    socket.on('end', () =>
      this.#lose(socket, new OutboundFault('connection_reset', 'closed by the receiver')),
    );
    socket.on('error', (error) => this.#lose(socket, classify(error)));
    socket.on('close', () =>
      this.#lose(socket, new OutboundFault('connection_reset', 'the connection ended')),
    );
  }

  #write(exchange: Exchange): void {
    // Given up while it waited.
    if (this.#exchange !== exchange || this.isDestroyed) return;
    const socket = this.#socket;
    // Lost while it waited: nothing of the request has left, so it may have another connection.
    if (!socket?.writable) {
      this.#socket = undefined;
      return void this.#open(exchange);
    }
    exchange.isSent = true;
    const { head, body } = exchange.wire;
    if (typeof body === 'string') {
      socket.write(head + body);
      return;
    }
    socket.cork();
    socket.write(head);
    socket.write(body);
    socket.uncork();
  }

  #receive(bytes: Buffer): void {
    const exchange = this.#exchange;
    const socket = this.#socket;
    // Nobody has asked for anything.
    if (!exchange?.isSent) {
      if (socket) this.#lose(socket, new OutboundFault('invalid_response', 'bytes that nobody asked for'));
      return;
    }
    try {
      if (!exchange.reader.push(bytes)) return;
    } catch (error) {
      return void this.#end(classify(error));
    }
    // A response before the whole request was taken.
    if (socket && socket.writableLength > 0) exchange.reader.keepAliveMs = 0;
    this.#end();
  }

  #lose(socket: Socket, fault: OutboundFault): void {
    if (this.#socket !== socket) return;
    this.#socket = undefined;
    socket.destroy();
    const exchange = this.#exchange;
    if (exchange === undefined) this.#onLost(this);
    else if (exchange.isSent) this.#end(exchange.reader.close() ? undefined : fault);
  }

  #end(fault?: OutboundFault): void {
    const exchange = this.#exchange;
    this.#exchange = undefined;
    exchange?.done(fault);
  }
}
