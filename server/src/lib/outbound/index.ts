import { setMaxListeners } from 'node:events';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { Agent } from 'undici';
import type { Dns } from '../dns.ts';
import { createConnector, type OpenSocket } from './connector.ts';
import { exchange } from './exchange.ts';
import { judgeUrl } from './judge-url.ts';
import type { Outbound } from './types.ts';

export { isLoopbackAddress, isPublicAddress } from './address.ts';
export type { OutboundErrorClass } from './fault.ts';
export { judgeUrl, type UrlFault, type UrlJudgement } from './judge-url.ts';
export type { Outbound, OutboundRequest, OutboundResult } from './types.ts';

export interface OutboundOptions {
  dns: Dns;
  /** Only while the service itself is reached over http on loopback. */
  allowLoopback: boolean;
  /** PEM; trusted besides what Node.js trusts by itself. */
  extraCa?: string;
  openSocket?: OpenSocket;
}

const maxHeaderBytes = 16_384;
const maxConnectionsPerOrigin = 256;
const keepAliveTimeoutMs = 4_000;
const keepAliveMaxTimeoutMs = 10_000;
// A busy connection would otherwise never see that its name has moved.
const connectionLifetimeMs = 60_000;

// These decide where a request goes or where it ends; only the URL and the body may.
const reservedHeaders = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'expect']);

export function createOutbound(options: OutboundOptions): Outbound {
  const closing = new AbortController();
  // Every connection under way listens; that is no leak.
  setMaxListeners(0, closing.signal);
  const agent = new Agent({
    connect: createConnector({
      dns: options.dns,
      allowLoopback: options.allowLoopback,
      secureContext: trust(options.extraCa),
      signal: closing.signal,
      ...(options.openSocket === undefined ? {} : { openSocket: options.openSocket }),
    }),
    connections: maxConnectionsPerOrigin,
    clientTtl: connectionLifetimeMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    keepAliveMaxTimeout: keepAliveMaxTimeoutMs,
    maxHeaderSize: maxHeaderBytes,
    allowH2: false,
  });

  return {
    async send(request, signal) {
      for (const name of Object.keys(request.headers ?? {})) {
        if (reservedHeaders.has(name.toLowerCase())) throw new TypeError(`header ${name} cannot be set`);
      }
      if (signal !== undefined) setMaxListeners(0, signal);
      const judgement = judgeUrl(request.url, options);
      if (judgement.ok) return await exchange(agent, judgement.url, request, signal);
      const errorClass = judgement.reason === 'blocked_address' ? 'blocked_address' : 'invalid_url';
      return { ok: false, errorClass, message: judgement.reason, durationMs: 0 };
    },
    async close() {
      closing.abort();
      await agent.destroy();
    },
  };
}

function trust(extraCa: string | undefined): SecureContext {
  // Without `ca` Node.js trusts its own list and NODE_EXTRA_CA_CERTS; naming one replaces both.
  const ca = extraCa === undefined ? {} : { ca: [...rootCertificates, extraCa] };
  return createSecureContext({ ...ca, minVersion: 'TLSv1.2' });
}
