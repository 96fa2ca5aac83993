import { REQUEST_SIZES, TIME_OUTS } from '../../limits.ts';
/*
 * The HTTP server: it reads requests off `node:http`, finds the route and writes the response. Only the composition
 * imports it. Every request is bounded in size and time before anything of it is parsed.
 */

import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { isMutation } from '@payassent/protocol/api';
import { CALL_S } from '../../act.ts';
import { AppError } from '../../errors.ts';
import { KIND } from '../../lib/tracing.ts';
import { createCors, preflightHeaders } from '../cors.ts';
import type { Document } from '../document.ts';
import type { Handler, Incoming, Kernel, Outgoing } from '../kernel.ts';
import { countAnonymous } from '../pipeline/callers.ts';
import { compileRoute } from '../pipeline/index.ts';
import { parseQuery, type RawQuery } from '../pipeline/query.ts';
import type { Route } from '../route.ts';
import { toAppError } from '../wire-errors.ts';
import { createHostCheck, namesTwoHosts } from './host.ts';
import {
  createAnswerWriter,
  type Exchange,
  observeAnswer,
  refuseMalformed,
  requestIdOf,
  writeDocument,
  writeEmpty,
  writeError,
  writeStream,
} from './respond.ts';
import { createRouter, splitTarget } from './router.ts';

export interface HttpServer {
  server: Server;
  listen(place: { host: string; port: number; backlog?: number }): Promise<void>;
  /** Accepts no more connections, and waits for the calls in flight. */
  close(): Promise<void>;
}

/** Carries out a call, or returns a document, once its path and method are known. */
type Target = (exchange: Exchange, params: Record<string, string>, query: string) => void;

export function createHttpServer(
  kernel: Kernel,
  routes: readonly Route[],
  documents: readonly Document[],
  lost: Document['serve'] = namesNothing,
): HttpServer {
  const find = createRouter([
    ...routes.map((route) => ({ ...route, target: routeTarget(kernel, route) })),
    ...documents.map((document) => ({ ...document, target: documentTarget(kernel, document) })),
  ]);
  const atNoPath = documentTarget(kernel, { method: 'GET', path: 'unknown', serve: lost });
  const { config } = kernel.context;
  const isKnownHost = createHostCheck(config);
  const cors = createCors(config.corsOrigins);
  const respond = (request: IncomingMessage, response: ServerResponse): void => {
    const { path, query } = splitTarget(request.url ?? '');
    const exchange: Exchange = {
      request,
      response,
      requestId: requestIdOf(kernel, request),
      path,
      startedMs: performance.now(),
      route: 'unknown',
      cors: cors.headersFor(request),
    };
    try {
      if (namesTwoHosts(request)) throw twoHosts();
      if (!isKnownHost(request.headers.host, request.url ?? '')) throw otherHost(kernel);
      const found = find(request.method ?? '', path);
      if (!found.target) {
        const isRead = request.method === 'GET' || request.method === 'HEAD';
        if (found.allowed.length === 0 && isRead) {
          atNoPath(exchange, {}, query);
          return;
        }
        if (found.allowed.length === 0 || !cors.isPreflight(request)) throw noRoute(found.allowed);
        writeEmpty(kernel, exchange, preflightHeaders(found.allowed));
        return;
      }
      found.target(exchange, found.params, query);
    } catch (error) {
      writeError(kernel, exchange, error);
    }
  };
  const server = createServer(
    {
      // A whole request must arrive within this time; Node checks every second.
      requestTimeout: TIME_OUTS.request.s * 1000,
      keepAliveTimeout: TIME_OUTS.keepAlive.s * 1000,
      headersTimeout: TIME_OUTS.headers.s * 1000,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: REQUEST_SIZES.headerBytes.count,
    },
    respond,
  );
  server.on('clientError', (error, socket) => refuseMalformed(kernel, error, socket as Socket));
  return listening(server);
}

function listening(server: Server): HttpServer {
  const servers: { close(): unknown }[] = [];
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return {
    server,
    async listen(place) {
      server.listen(place);
      await once(server, 'listening');
      if (place.host !== 'localhost') return;
      // For a name with two addresses: clients may try either of them.
      const { address, port } = server.address() as { address: string; port: number };
      for (const other of await lookup(place.host, { all: true })) {
        if (other.address === address) continue;
        const second = createTcpServer((socket) => server.emit('connection', socket));
        second.on('error', () => {}).listen({ ...place, host: other.address, port });
        servers.push(second);
      }
    },
    async close() {
      // Node does not count a connection without a first request as idle, and its time-out for such connections ends
      // with `close`: it would delay the end of the service. Clients open them ahead of their next request.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      for (const other of servers) other.close();
      if (!server.listening) return;
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function routeTarget(kernel: Kernel, route: Route): Target {
  const handle = traced(kernel, route, compileRoute(kernel, route));
  const write = createAnswerWriter(kernel);
  const waitOf = compileWait(route);
  const seconds = CALL_S + (route.outsideS ?? 0);
  const isCounted = route.credential.length === 0 && kernel.limiter.has('anonymous');
  const hasBody = isMutation(route.method);
  return (exchange, params, search) => {
    exchange.route = route.path;
    exchange.operation = route.id;
    const { request, requestId } = exchange;
    const query = parseQuery(search);
    const waitS = waitOf(query);
    const refuse = (error: unknown) => writeError(kernel, exchange, error);
    const send = (outgoing: Outgoing) => {
      try {
        if (outgoing.stream) writeStream(kernel, exchange, outgoing, outgoing.stream);
        else write(exchange, outgoing);
      } catch (error) {
        refuse(error);
        return;
      }
      observeAnswer(kernel, exchange, outgoing.status, { waited: waitS > 0 });
    };
    const carryOut = (body: Incoming['body']) => {
      const incoming: Incoming = { request, requestId, params, query, body };
      exchange.incoming = incoming;
      kernel.deadlines.settle(seconds + waitS, handle(incoming), send, refuse);
    };
    // Limits of unknown callers are counted before their body is read.
    const prepare = async () => {
      if (isCounted) await kernel.deadlines.within(CALL_S, countAnonymous(kernel, request));
      return hasBody ? readBody(request) : undefined;
    };
    if (isCounted || hasBody) prepare().then(carryOut, refuse);
    else carryOut(undefined);
  };
}

/** `type/subtype` and parameters; anything else is rejected before the body is read. */
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+[ \t]*(?:;|$)/;

/** Undefined where none was sent. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const { 'content-length': length, 'content-type': type, 'transfer-encoding': coding } = request.headers;
  if (type !== undefined && !MEDIA_TYPE.test(type)) throw new AppError('unsupported_media_type');
  if (coding === undefined && (length === undefined || length === '0')) return undefined;
  if (Number(length) > REQUEST_SIZES.bodyBytes.count) throw new AppError('payload_too_large');
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    request.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes <= REQUEST_SIZES.bodyBytes.count) parts.push(part);
      else reject(new AppError('payload_too_large'));
    });
    request.on('end', () => resolve(parts.length === 1 ? parts[0] : Buffer.concat(parts, bytes)));
    request.on('close', () => request.complete || reject(cutOff()));
    if (request.destroyed) reject(cutOff());
  });
}

/** The caller is gone: no one reads this. */
const cutOff = () => new AppError('invalid_json', { message: 'The body was cut off.' });

/** A long poll has its wait in addition to the time of every call. */
function compileWait(route: Route): (query: RawQuery) => number {
  const mayWait = 'wait' in ((route.query as { properties?: object } | undefined)?.properties ?? {});
  if (!mayWait) return () => 0;
  return ({ wait }) => (typeof wait === 'string' && /^\d{1,2}$/.test(wait) ? Number(wait) : 0);
}

function documentTarget(kernel: Kernel, document: Document): Target {
  const serve = async (exchange: Exchange): Promise<void> => {
    const { deadlines, limiter, context } = kernel;
    const { request } = exchange;
    if (document.isCounted && limiter.has('anonymous'))
      await deadlines.within(CALL_S, countAnonymous(kernel, request));
    const served = (async () => document.serve(context, request))();
    const answer = await deadlines.within(CALL_S, served);
    writeDocument(kernel, exchange, answer);
    observeAnswer(kernel, exchange, answer.status ?? 200);
  };
  return (exchange) => {
    exchange.route = document.path;
    serve(exchange).catch((error: unknown) => writeError(kernel, exchange, error));
  };
}

function namesNothing(): never {
  throw noRoute([]);
}

function otherHost({ context }: Kernel): AppError {
  return new AppError('resource_not_found', {
    message: `This service is not known under that name. Its address is ${context.config.baseUrl}.`,
  });
}

function twoHosts(): AppError {
  return new AppError('invalid_json', {
    message: 'The request names two hosts: send one Host header, and a target of the same host.',
  });
}

function noRoute(allowed: readonly string[]): AppError {
  if (allowed.length === 0) return new AppError('resource_not_found');
  return new AppError('method_not_allowed', { headers: { allow: allowed.join(', ') } });
}

/** Each call as a span. Costs a service without a collector nothing. */
function traced({ context: { tracer } }: Kernel, route: Route, handle: Handler): Handler {
  if (!tracer) return handle;
  return async (incoming) => {
    const sent = incoming.request.headers['traceparent'];
    const task = {
      name: `${route.method} ${route.path}`,
      kind: KIND.server,
      traceparent: typeof sent === 'string' ? sent : undefined,
      attributes: {
        'http.request.method': route.method,
        'http.route': route.path,
        'payassent.request_id': incoming.requestId,
      },
    };
    // A rejection is a response; only an internal error marks a span as failed.
    const outcome = await tracer.run<Outgoing | { refused: unknown }>(task, async (attributes) => {
      tracer.note(incoming.request);
      try {
        const outgoing = await handle(incoming);
        attributes['http.response.status_code'] = outgoing.status;
        return outgoing;
      } catch (error) {
        const { code, httpStatus } = toAppError(error);
        attributes['http.response.status_code'] = httpStatus;
        attributes['error.type'] = code;
        if (httpStatus >= 500) throw error;
        return { refused: error };
      }
    });
    if ('refused' in outcome) throw outcome.refused;
    return outcome;
  };
}
