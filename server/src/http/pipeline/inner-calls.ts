import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { headerLines } from '../headers.ts';
import type { Handler, Incoming, Kernel } from '../kernel.ts';
import type { Call, Route } from '../route.ts';
import { toAppError, toWireError } from '../wire-errors.ts';
import { compileRoute } from './index.ts';
import { parseQuery } from './query.ts';

/** The part of `fetch` that a client of our API needs. */
export type InnerFetch = (url: string, init: RequestInit) => Promise<Response>;

type Outer = Pick<Call<'connection', unknown, unknown>, 'act' | 'presented' | 'request'>;

/** The caller's own headers that are passed to the inner call, which is authorized as if the caller had made it. */
const CARRIED = ['dpop', 'x-forwarded-for'] as const;

/**
 * Calls of the API within another call of the same caller, without a socket: the whole pipeline, with its credential,
 * scope, limits and checks. A proof of possession counts for the outer call and all that it makes.
 */
export function createInnerCalls(kernel: Kernel, routes: readonly Route[]): (outer: Outer) => InnerFetch {
  const { baseUrl } = kernel.context.config;
  const table = routes.map((route) => ({
    operation: route.id,
    method: route.method,
    path: new RegExp(`^${route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
    // Compiled at the first call: most services never call this.
    handle: once(() => compileRoute(kernel, route)),
  }));
  return (outer) => async (address, init) => {
    const url = address.slice(baseUrl.length);
    const [path = '', query = ''] = url.split('?', 2);
    const found = table.find((entry) => entry.method === init.method && entry.path.test(path));
    if (!found) throw new Error(`${init.method} ${path} is not among the calls that can be made from within`);
    const parts = found.path.exec(path)?.groups ?? {};
    const params = Object.fromEntries(
      Object.entries(parts).map(([name, text]) => [name, decodeURIComponent(text)]),
    );
    const { request, end } = innerRequest(outer.request, url, init);
    const { requestId } = outer.act;
    const provedBy = outer.presented?.provedBy;
    const body = typeof init.body === 'string' ? Buffer.from(init.body) : undefined;
    const incoming: Incoming = { request, requestId, params, query: parseQuery(query), body, provedBy };
    const startedMs = performance.now();
    const note = (status: number, errorCode?: string) => {
      const agent = incoming.caller?.agent;
      const durationMs = performance.now() - startedMs;
      if (agent)
        kernel.noteCall({ agent, operation: found.operation, requestId, status, errorCode, durationMs });
    };
    try {
      const answered = await found.handle()(incoming);
      note(answered.status);
      return respond(answered.status, answered.headers ?? {}, answered.text);
    } catch (error) {
      const now = kernel.context.clock.now();
      const wire = toWireError(error, { baseUrl, path, accept: undefined, requestId, now });
      note(wire.status, toAppError(error).code);
      return respond(wire.status, wire.headers, JSON.stringify(wire.body));
    } finally {
      end();
    }
  };
}

/** An inner call always returns the plain JSON that our own client reads. */
function respond(status: number, headers: Readonly<Record<string, string>>, text: string): Response {
  return new Response(text, { status, headers: { ...headers, 'content-type': 'application/json' } });
}

function once(make: () => Handler): () => Handler {
  let made: Handler | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** An inner long poll ends with the outer connection, or with its own signal. */
function innerRequest(outer: IncomingMessage, url: string, init: RequestInit) {
  const sent = new Headers(init.headers);
  const rawHeaders = [...sent].flat();
  for (const name of CARRIED) for (const value of headerLines(outer, name)) rawHeaders.push(name, value);
  const socket = Object.assign(new EventEmitter(), { remoteAddress: outer.socket.remoteAddress });
  const close = () => socket.emit('close');
  outer.socket.once('close', close);
  init.signal?.addEventListener('abort', close, { once: true });
  const headers = Object.fromEntries(sent);
  const request = { method: init.method, url, headers, rawHeaders, socket } as unknown as IncomingMessage;
  const end = () => {
    outer.socket.removeListener('close', close);
    init.signal?.removeEventListener('abort', close);
  };
  return { request, end };
}
