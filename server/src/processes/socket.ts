import { lookup } from 'node:dns/promises';
import net from 'node:net';
import { getSystemErrorName } from 'node:util';
import type { Config } from '../config/index.ts';
import { StartError } from '../errors.ts';

/** A bound port that accepts no connection itself: workers get it with their order and accept on it. */
export interface Socket {
  close(): void;
  /** Writes the bound address into `place`; otherwise returns the error number that `bind` deferred. */
  getsockname(place: object): number;
}

type Binding = (address: string, port: number, family: number, fd: number) => Socket | number;

/**
 * Opens the port in a process that never accepts. As long as that process runs, connections that arrive while no worker
 * serves wait for the next one. Node's own sharing closes the port with the last worker, and they would be refused.
 */
export async function openSocket(config: Config): Promise<Socket> {
  const { _createServerHandle: bind } = net as unknown as { _createServerHandle: Binding };
  try {
    const { address, family } = await lookup(config.host);
    const socket = bind(address, config.port, family, -1);
    const fault = typeof socket === 'number' ? socket : socket.getsockname({});
    if (typeof socket !== 'number' && fault === 0) return socket;
    throw Object.assign(new Error('bind'), { code: getSystemErrorName(fault) });
  } catch (error) {
    throw whyNotListening(error, config);
  }
}

/** How many connections may wait to be accepted. */
export const BACKLOG = 1024;

/** Explains the problem to a person who can fix it. */
export function whyNotListening(error: unknown, { host, port }: Config): unknown {
  switch ((error as { code?: string }).code) {
    case 'EADDRINUSE':
      return new StartError(
        `Port ${port} on ${host} is taken: stop the other program, or set SVC_PORT to a free port.`,
      );
    case 'EACCES':
      return new StartError(`Port ${port} may not be opened by this user: set SVC_PORT to one above 1023.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(`SVC_HOST ${host} is not an address of this machine: set 127.0.0.1 or 0.0.0.0.`);
    default:
      return error;
  }
}
