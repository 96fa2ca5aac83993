import { isIP, connect as netConnect, type Socket } from 'node:net';
import { type SecureContext, connect as tlsConnect } from 'node:tls';
import type { buildConnector } from 'undici';
import type { Dns } from '../dns.ts';
import { isPermittedAddress } from './address.ts';
import { bareHost, isLoopbackName } from './judge-url.ts';
import { classify, codeOf, OutboundFault } from './types.ts';

export type OpenSocket = (address: string, port: number) => Socket;

interface ConnectorOptions {
  dns: Dns;
  allowLoopback: boolean;
  /** The host configured this very origin: any address will do. */
  isTrusted?: boolean;
  secureContext: SecureContext;
  /** Ends the attempt in progress. */
  signal: AbortSignal;
  /** Dials one address; tests of the connection itself pass another function. */
  openSocket?: OpenSocket;
}

// Lookup, connecting and handshake together, whatever the deadline of the request.
const connectBudgetMs = 10_000;
const dnsBudgetMs = 5_000;
const maxAddressesTried = 4;

interface Target {
  host: string;
  port: number;
  tls: boolean;
}

/**
 * The only way to the network. A name is resolved once, every response is checked, the connection goes to a checked
 * address and the peer is checked again before a byte is written: later responses of a name server cannot matter.
 */
export function createConnector(options: ConnectorOptions): buildConnector.connector {
  return (request, callback) => {
    const target: Target = {
      host: bareHost(request.hostname),
      port: Number(request.port) || (request.protocol === 'https:' ? 443 : 80),
      tls: request.protocol === 'https:',
    };
    connect(target, options).then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(classify(error), null),
    );
  };
}

async function connect(target: Target, options: ConnectorOptions): Promise<Socket> {
  const deadlineMs = performance.now() + connectBudgetMs;
  const addresses = await judgedAddresses(target.host, options);
  const tried = addresses.slice(0, maxAddressesTried);
  let lastFault = new OutboundFault('connect_failed', 'no address to connect to');
  for (const [index, address] of tried.entries()) {
    if (options.signal.aborted) throw new OutboundFault('aborted', 'given up while connecting');
    const remainingMs = deadlineMs - performance.now();
    const attemptMs = remainingMs / (tried.length - index);
    try {
      const socket = await openTo(address, target, attemptMs, options);
      return target.tls
        ? await startTls(socket, target.host, deadlineMs - performance.now(), options)
        : socket;
    } catch (error) {
      lastFault = classify(error);
      // Only an unreachable address leads to the next one; a rejected peer or a bad certificate is final.
      if (lastFault.errorClass !== 'connect_failed' && lastFault.errorClass !== 'timeout') throw lastFault;
    }
  }
  throw lastFault;
}

async function judgedAddresses(host: string, options: ConnectorOptions): Promise<string[]> {
  const addresses = await addressesOf(host, options.dns);
  if (addresses.length === 0) throw new OutboundFault('dns_failed', `${host} has no address`, 'no_data');
  for (const address of addresses) {
    if (!mayReach(address, options)) {
      throw new OutboundFault('blocked_address', `${host} leads to ${address}`);
    }
  }
  return addresses;
}

function mayReach(address: string, { isTrusted, allowLoopback }: ConnectorOptions): boolean {
  return isTrusted === true || isPermittedAddress(address, allowLoopback);
}

async function addressesOf(host: string, dns: Dns): Promise<string[]> {
  if (isIP(host) !== 0) return [host];
  if (isLoopbackName(host)) return ['127.0.0.1', '::1'];
  return await dns.addresses(host, dnsBudgetMs);
}

async function openTo(
  address: string,
  target: Target,
  timeoutMs: number,
  options: ConnectorOptions,
): Promise<Socket> {
  const open = options.openSocket ?? dial;
  const socket = open(address, target.port);
  await untilReady(socket, 'connect', timeoutMs, options.signal, (error) => {
    return new OutboundFault('connect_failed', `${address}: ${codeOf(error)}`);
  });
  const peer = socket.remoteAddress;
  if (peer === undefined || !mayReach(peer, options)) {
    socket.destroy();
    throw new OutboundFault('blocked_address', `${address} led to ${peer ?? 'no peer'}`);
  }
  return socket;
}

function dial(address: string, port: number): Socket {
  return netConnect({ host: address, port, autoSelectFamily: false, noDelay: true, keepAlive: true });
}

async function startTls(
  socket: Socket,
  host: string,
  timeoutMs: number,
  options: ConnectorOptions,
): Promise<Socket> {
  const secure = tlsConnect({
    socket,
    host,
    // Server name indication is for names only (RFC 6066); an address in the URL is still compared with the
    // certificate.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    secureContext: options.secureContext,
    ALPNProtocols: ['http/1.1'],
    // Explicit, so that no environment variable can turn it off.
    rejectUnauthorized: true,
  });
  await untilReady(secure, 'secureConnect', timeoutMs, options.signal, (error) => {
    const code = codeOf(error);
    const reset = code === 'ECONNRESET' || code === 'EPIPE';
    return new OutboundFault(reset ? 'connection_reset' : 'tls_failed', `${host}: ${code}`);
  });
  return secure;
}

function untilReady(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  timeoutMs: number,
  signal: AbortSignal,
  describe: (error: Error) => OutboundFault,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (fault?: OutboundFault): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      socket.off(event, onReady).off('error', onError).off('close', onClose);
      if (fault === undefined) {
        resolve();
        return;
      }
      // A destroyed socket may still emit an error, which no handler would receive.
      socket.on('error', () => undefined);
      socket.destroy();
      reject(fault);
    };
    const onReady = (): void => settle();
    const onError = (error: Error): void => settle(describe(error));
    const onClose = (): void => settle(new OutboundFault('connection_reset', 'closed while connecting'));
    const onAbort = (): void => settle(new OutboundFault('aborted', 'given up while connecting'));
    const timer = setTimeout(
      () => settle(new OutboundFault('timeout', 'no connection in time')),
      Math.max(0, timeoutMs),
    );
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    socket.once(event, onReady).once('error', onError).once('close', onClose);
  });
}
