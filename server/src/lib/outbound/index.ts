import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { Client } from 'undici';
import type { Dns } from '../dns.ts';
import { createConnector, type OpenSocket } from './connector.ts';
import { createAbortActions, createDeadlines, exchange } from './exchange.ts';
import { judgeUrl, type UrlFault, type UrlOptions } from './judge-url.ts';
import { createPool } from './pool.ts';
import type { Outbound } from './types.ts';

export { judgeUrl, type UrlFault } from './judge-url.ts';

export type { Outbound, OutboundRequest, OutboundResult } from './types.ts';

export interface OutboundOptions extends UrlOptions {
  dns: Dns;
  /** PEM; trusted in addition to Node.js's own roots. */
  extraCa?: string;
  openSocket?: OpenSocket;
}

const maxHeaderBytes = 16_384;
const keepAliveTimeoutMs = 4_000;
const keepAliveMaxTimeoutMs = 10_000;

// These decide where a request goes or where it ends; only the URL and the body may.
const reservedHeaders = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'expect']);

export function createOutbound(options: OutboundOptions): Outbound {
  const { extraCa, trustedOrigins, ...road } = options;
  const secureContext = trust(extraCa);
  const pool = createPool((origin, signal) => {
    return new Client(origin, {
      connect: createConnector({
        ...road,
        isTrusted: trustedOrigins?.has(origin) ?? false,
        secureContext,
        signal,
      }),
      keepAliveTimeout: keepAliveTimeoutMs,
      keepAliveMaxTimeout: keepAliveMaxTimeoutMs,
      maxHeaderSize: maxHeaderBytes,
      // The total deadline of each request is the only clock; these two only measure silence.
      headersTimeout: 0,
      bodyTimeout: 0,
      allowH2: false,
    });
  });
  const judge = rememberJudgements(options);
  const shared = { actionsOf: createAbortActions(), deadlines: createDeadlines() };
  let closed = false;

  const begin: Outbound['send'] = (request, signal) => {
    for (const name in request.headers) {
      if (reservedHeaders.has(name.toLowerCase())) throw new TypeError(`header ${name} cannot be set`);
    }
    const judgement = judge(request.url);
    if (!judgement.ok) {
      const errorClass = judgement.reason === 'blocked_address' ? 'blocked_address' : 'invalid_url';
      return Promise.resolve({ ok: false, errorClass, message: judgement.reason, durationMs: 0 });
    }
    if (closed) {
      return Promise.resolve({ ok: false, errorClass: 'aborted', message: 'closed', durationMs: 0 });
    }
    const { origin, path } = judgement;
    const lease = request.isFresh ? pool.open(origin) : pool.lease(origin);
    return exchange(lease, path, request, signal, shared);
  };

  return {
    // Not an async function: that would add microtasks between a response and its caller.
    send(request, signal) {
      try {
        return begin(request, signal);
      } catch (error) {
        return Promise.reject(error);
      }
    },
    async close() {
      closed = true;
      await pool.close();
    },
  };
}

const rememberedUrls = 1_000;

type Destination = { ok: true; origin: string; path: string } | { ok: false; reason: UrlFault };

/**
 * The verdict on the text of an address does not change, so addresses of busy receivers are not parsed again at each
 * request.
 */
function rememberJudgements(options: UrlOptions): (url: string) => Destination {
  const known = new Map<string, Destination>();
  return (text) => {
    const found = known.get(text);
    if (found) return found;
    if (known.size >= rememberedUrls) known.clear();
    const judgement = judgeUrl(text, options);
    const destination = judgement.ok ? partsOf(judgement.url) : judgement;
    known.set(text, destination);
    return destination;
  };
}

function partsOf({ origin, pathname, search }: URL): Destination {
  return { ok: true, origin, path: `${pathname}${search}` };
}

function trust(extraCa: string | undefined): SecureContext {
  // Without `ca` Node.js trusts its own list and NODE_EXTRA_CA_CERTS; passing one replaces both.
  const ca = extraCa === undefined ? {} : { ca: [...rootCertificates, extraCa] };
  return createSecureContext({ ...ca, minVersion: 'TLSv1.2' });
}
