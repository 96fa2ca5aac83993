import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import type { Dns } from '../dns.ts';
import { connect, type OpenSocket, targetOf } from './connector.ts';
import { createDeadlines } from './deadlines.ts';
import { createAbortActions, exchange } from './exchange.ts';
import { OutboundFault } from './fault.ts';
import { judgeUrl, type UrlFault, type UrlOptions } from './judge-url.ts';
import { createPool } from './pool.ts';
import type { Outbound } from './types.ts';
import { wireOf } from './wire.ts';

export { judgeUrl, type UrlFault } from './judge-url.ts';

export type { Outbound, OutboundRequest, OutboundResult } from './types.ts';

export interface OutboundOptions extends UrlOptions {
  dns: Dns;
  /** PEM; trusted besides what Node.js trusts by itself. */
  extraCa?: string;
  openSocket?: OpenSocket;
}

export function createOutbound(options: OutboundOptions): Outbound {
  const { extraCa, trustedOrigins, ...road } = options;
  const secureContext = trust(extraCa);
  const pool = createPool((origin) => {
    const isTrusted = trustedOrigins?.has(origin) ?? false;
    const target = targetOf(new URL(origin));
    return (signal) => connect(target, { ...road, isTrusted, secureContext, signal });
  });
  const judge = rememberJudgements(options);
  const parts = { deadlines: createDeadlines(), actionsOf: createAbortActions() };
  let closed = false;

  const begin: Outbound['send'] = (request, signal) => {
    const judgement = judge(request.url);
    if (!judgement.ok) {
      const errorClass = judgement.reason === 'blocked_address' ? 'blocked_address' : 'invalid_url';
      return Promise.resolve({ ok: false, errorClass, message: judgement.reason, durationMs: 0 });
    }
    const { origin, host, path } = judgement;
    const wire = wireOf(host, path, request);
    if (wire instanceof OutboundFault) {
      const { errorClass, message } = wire;
      return Promise.resolve({ ok: false, errorClass, message, durationMs: 0 });
    }
    if (closed)
      return Promise.resolve({ ok: false, errorClass: 'aborted', message: 'closed', durationMs: 0 });
    const lease = request.isFresh ? pool.open(origin) : pool.lease(origin);
    return exchange(parts, lease, wire, request, signal);
  };

  return {
    // Not an async function: that would put three turns of promises between the response and its receiver.
    send(request, signal) {
      try {
        return begin(request, signal);
      } catch (error) {
        return Promise.reject(error);
      }
    },
    async close() {
      closed = true;
      pool.close();
    },
  };
}

const rememberedUrls = 1_000;

type Destination = { ok: true; origin: string; host: string; path: string } | { ok: false; reason: UrlFault };

/** What the text of an address says does not change; busy receivers are not parsed again at each request. */
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

function partsOf({ origin, host, pathname, search }: URL): Destination {
  return { ok: true, origin, host, path: `${pathname}${search}` };
}

function trust(extraCa: string | undefined): SecureContext {
  // Without `ca` Node.js trusts its own list and NODE_EXTRA_CA_CERTS; naming one replaces both.
  const ca = extraCa === undefined ? {} : { ca: [...rootCertificates, extraCa] };
  return createSecureContext({ ...ca, minVersion: 'TLSv1.2' });
}
