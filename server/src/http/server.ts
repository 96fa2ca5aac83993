import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { CALL_S } from '../act.ts';
import { AppError } from '../errors.ts';
import type { Stream } from '../lib/event-stream.ts';
import { JSON_TYPE } from './accept.ts';
import { countAnonymous } from './callers.ts';
import type { Document } from './document.ts';
import { runStream } from './event-stream.ts';
import { createHostCheck, namesTwoHosts } from './host.ts';
import type { Kernel, Outgoing } from './kernel.ts';
import { createPathTable, pathOf, toRouterPath } from './path-table.ts';
import { compileRoute } from './pipeline.ts';
import { parseQuery, type RawQuery } from './query.ts';
import type { Route } from './route.ts';
import { traced } from './traced.ts';
import { type FailedCall, toAppError, toWireError } from './wire-errors.ts';

const BODY_LIMIT_BYTES = 64 * 1024;
// 160 code points, each up to four bytes, each byte percent-encoded.
const MAX_PARAM_LENGTH = 160 * 4 * 3;

/** The HTTP server. This folder is the only one that knows the framework beneath, this file its whole wiring. */
export async function createHttpServer(
  kernel: Kernel,
  routes: readonly Route[],
  documents: readonly Document[],
): Promise<FastifyInstance> {
  const methodsOf = createPathTable([...routes, ...documents]);
  const isKnownHost = createHostCheck(kernel.context.config);
  const app = Fastify({
    logger: false,
    bodyLimit: BODY_LIMIT_BYTES,
    genReqId: () => '',
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // A whole request must arrive within this time; Node looks every second.
    requestTimeout: 10_000,
    keepAliveTimeout: 75_000,
    http: { headersTimeout: 8_000, connectionsCheckingInterval: 1_000, maxHeaderSize: 16 * 1024 },
    clientErrorHandler: (error, socket) => refuseMalformed(kernel, error, socket),
    routerOptions: {
      maxParamLength: MAX_PARAM_LENGTH,
      querystringParser: parseQuery,
      onBadUrl: (_path, request, response) => refuseBadPath(kernel, request, response),
      onMaxParamLength: (_path, request, response) => refuseBadPath(kernel, request, response),
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.decorateRequest('startedMs', 0);
  // The only hook, and none at the end of an answer: each one cost every call 3 µs or more.
  app.addHook('onRequest', (request, _reply, done) => {
    request.startedMs = performance.now();
    request.id = requestIdOf(kernel, request.raw);
    if (namesTwoHosts(request.raw)) done(twoHosts());
    else if (!isKnownHost(request.raw.headers.host, request.url)) done(otherHost(kernel));
    else if (request.is404 || hasEmptyPart(request)) done(noRoute(methodsOf(request.url)));
    else done();
  });
  app.setErrorHandler((error, request, reply) => sendError(kernel, error, request, reply));
  app.setNotFoundHandler((request) => {
    throw noRoute(methodsOf(request.url));
  });
  for (const route of routes) addRoute(app, kernel, route);
  for (const document of documents) addDocument(app, kernel, document);
  endSilentConnections(app);
  await app.ready();
  return app;
}

/**
 * A connection that has never said a word is not idle to Node, and its patience with such ones ends with `close`: without
 * this, one of them would hold back the end of the service. Clients open them ahead of their next request.
 */
function endSilentConnections(app: FastifyInstance): void {
  const sockets = new Set<Socket>();
  app.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  app.addHook('preClose', (done) => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    done();
  });
}

/**
 * `/v1/agents/` and `/v1/agents//credentials` name nothing, although the router takes the empty part for an id. What
 * stands for any rest of a path may be empty: `/portal/` is the portal.
 */
function hasEmptyPart({ params }: FastifyRequest): boolean {
  const parts = params as Readonly<Record<string, string>>;
  for (const name in parts) if (name !== '*' && parts[name] === '') return true;
  return false;
}

function addRoute(app: FastifyInstance, kernel: Kernel, route: Route): void {
  const handle = traced(kernel, route, compileRoute(kernel, route));
  const write = createAnswerWriter(kernel);
  const { deadlines } = kernel;
  const waitOf = compileWait(route);
  const seconds = CALL_S + (route.outsideS ?? 0);
  app.route({
    method: route.method,
    url: toRouterPath(route.path),
    config: { name: route.path } satisfies RouteName,
    ...(route.credential.length === 0 ? countedFirst(kernel) : {}),
    handler(request, reply) {
      const incoming = {
        request: request.raw,
        requestId: request.id,
        params: (request.params ?? {}) as Record<string, string>,
        query: request.query as RawQuery,
        body: request.body as Buffer | undefined,
      };
      const waitS = waitOf(incoming.query);
      const refuse = (error: unknown) => void reply.send(error);
      const send = (outgoing: Outgoing) => {
        try {
          if (outgoing.stream) writeStream(kernel, reply.raw, outgoing, outgoing.stream, request.id);
          else write(reply.raw, outgoing, request.id);
          reply.hijack();
        } catch (error) {
          refuse(error);
          return;
        }
        observeAnswer(kernel, request, route.path, outgoing.status, waitS > 0);
      };
      deadlines.settle(seconds + waitS, handle(incoming), send, refuse);
    },
  });
}

/** Limits of strangers are counted before their body is read. */
function countedFirst(kernel: Kernel) {
  if (!kernel.limiter.has('anonymous')) return {};
  return {
    onRequest: (request: FastifyRequest) =>
      kernel.deadlines.within(CALL_S, countAnonymous(kernel, request.raw)),
  };
}

/** What a call asks to wait for, it has time for besides its own. */
function compileWait(route: Route): (query: RawQuery) => number {
  const mayWait = 'wait' in ((route.query as { properties?: object } | undefined)?.properties ?? {});
  if (!mayWait) return () => 0;
  return ({ wait }) => (typeof wait === 'string' && /^\d{1,2}$/.test(wait) ? Number(wait) : 0);
}

/**
 * Writes an answer past the framework, with all headers in one list: 20 µs less than through `reply.headers`, which
 * looks at each of them several times.
 */
function createAnswerWriter(kernel: Kernel) {
  const { securityHeaders, stopping } = kernel.context;
  const common = [...Object.entries(securityHeaders).flat(), 'content-type', JSON_TYPE];
  return (response: ServerResponse, { status, headers, text }: Outgoing, requestId: string): void => {
    const length = Buffer.byteLength(text);
    const list = [...common, 'x-request-id', requestId, 'content-length', String(length)];
    if (headers) for (const name in headers) list.push(name, headers[name] ?? '');
    if (stopping.aborted) list.push('connection', 'close');
    response.writeHead(status, list);
    // Text of as many bytes as characters is ASCII, which Node writes faster where it need not look at each character.
    response.end(text, length === text.length ? 'latin1' : 'utf8');
  };
}

/** Refusals end a stream without a word: a caller that opens it again is told why. */
function writeStream(
  kernel: Kernel,
  response: ServerResponse,
  { status, headers }: Outgoing,
  stream: Stream,
  requestId: string,
): void {
  const { log, stopping } = kernel.context;
  response.writeHead(status, { ...commonHeaders(kernel, requestId), ...headers });
  runStream(response, stream, stopping).catch((error: unknown) => {
    if (toAppError(error).code === 'internal_error')
      log.error({ event: 'stream_failed', requestId, err: error }, 'stream failed');
  });
}

function addDocument(app: FastifyInstance, kernel: Kernel, document: Document): void {
  app.route({
    method: document.method,
    url: toRouterPath(document.path),
    config: { name: document.path } satisfies RouteName,
    ...(document.isCounted ? countedFirst(kernel) : {}),
    handler: async (request, reply) => {
      const serve = async () => document.serve(kernel.context, request.raw);
      const answer = await kernel.deadlines.within(CALL_S, serve());
      const status = answer.status ?? 200;
      reply
        .code(status)
        .headers({ ...commonHeaders(kernel, request.id), ...answer.headers })
        .type(answer.contentType);
      observeAnswer(kernel, request, document.path, status);
      return answer.body;
    },
  });
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

function noRoute(allowed: string[]): AppError {
  if (allowed.length === 0) return new AppError('resource_not_found');
  return new AppError('method_not_allowed', { headers: { allow: allowed.join(', ') } });
}

function requestIdOf(kernel: Kernel, request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  if (typeof sent === 'string' && /^[\x20-\x7e]{1,160}$/.test(sent)) return sent;
  return newRequestId(kernel);
}

const ID_BYTES = 12;
const IDS_AT_ONCE = 128;
/** Drawn for many requests at once: one by one they cost 0.8 µs each. */
let unusedIds = '';

function newRequestId(kernel: Kernel): string {
  if (unusedIds === '')
    unusedIds = Buffer.from(kernel.context.random.bytes(ID_BYTES * IDS_AT_ONCE)).toString('hex');
  const id = `req_${unusedIds.slice(0, 2 * ID_BYTES)}`;
  unusedIds = unusedIds.slice(2 * ID_BYTES);
  return id;
}

function commonHeaders(kernel: Kernel, requestId: string): Record<string, string> {
  const { securityHeaders, stopping } = kernel.context;
  return {
    ...securityHeaders,
    'x-request-id': requestId,
    ...(stopping.aborted ? { connection: 'close' } : {}),
  };
}

function sendError(
  kernel: Kernel,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const known = toAppError(error);
  if (known.code === 'internal_error') {
    kernel.context.log.error(
      {
        event: 'call_failed',
        requestId: request.id,
        ...kernel.context.tracer?.of(request.raw),
        route: routeName(request),
        err: error,
      },
      'call failed',
    );
  }
  // A caller that hung up in the midst of its body is no fault of the database.
  if (known.code === 'unavailable' && request.raw.complete) kernel.context.faults.note(known.cause);
  const wire = toWireError(known, failedCall(kernel, request.raw, request.id));
  kernel.context.metrics.refused(known.code);
  observeAnswer(kernel, request, routeName(request), wire.status);
  return reply
    .code(wire.status)
    .headers({ ...commonHeaders(kernel, request.id), ...wire.headers })
    .type(wire.contentType)
    .send(JSON.stringify(wire.body));
}

/** What an error says depends on the call it responds to; of bytes that are no request nothing is known. */
function failedCall(
  { context: { config, clock } }: Kernel,
  request: IncomingMessage | undefined,
  requestId: string,
): FailedCall {
  return {
    baseUrl: config.baseUrl,
    path: pathOf(request?.url ?? ''),
    accept: request?.headers.accept,
    requestId,
    now: clock.now(),
  };
}

/** A path that cannot be decoded, or is longer than any identifier, names nothing. The framework answers it outside of hooks and handlers. */
function refuseBadPath(kernel: Kernel, request: IncomingMessage, response: ServerResponse): void {
  const requestId = requestIdOf(kernel, request);
  const error = namesTwoHosts(request) ? twoHosts() : new AppError('resource_not_found');
  const wire = toWireError(error, failedCall(kernel, request, requestId));
  response.writeHead(wire.status, { ...commonHeaders(kernel, requestId), 'content-type': wire.contentType });
  response.end(JSON.stringify(wire.body));
}

/** Bytes that are no HTTP request at all, or that took too long; there is no route and no request to speak of. */
function refuseMalformed(kernel: Kernel, error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = MALFORMED[error.code ?? ''] ?? '400 Bad Request';
  const requestId = newRequestId(kernel);
  const refusal = new AppError('invalid_json', {
    message: `The request could not be read: ${status.slice(4).toLowerCase()}.`,
  });
  const wire = toWireError(refusal, failedCall(kernel, undefined, requestId));
  const body = JSON.stringify(wire.body);
  const headers = {
    ...commonHeaders(kernel, requestId),
    'content-type': wire.contentType,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`);
}

const MALFORMED: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** `route` is the pattern. Asking the framework for it makes an object of options each time. */
function observeAnswer(
  kernel: Kernel,
  request: FastifyRequest,
  route: string,
  status: number,
  waited = false,
): void {
  const { metrics, log } = kernel.context;
  const durationMs = performance.now() - request.startedMs;
  metrics.answered(request.method, route, status, durationMs / 1000, waited);
  if (!log.isLevelEnabled('debug')) return;
  // The route's pattern, never the URL: a query may carry a wallet's credential.
  log.debug(
    {
      event: 'answered',
      requestId: request.id,
      ...kernel.context.tracer?.of(request.raw),
      method: request.method,
      route,
      status,
      ms: Math.round(durationMs),
    },
    'answered',
  );
}

declare module 'fastify' {
  interface FastifyRequest {
    /** On the clock that never jumps. */
    startedMs: number;
  }
}

interface RouteName {
  name: string;
}

function routeName(request: FastifyRequest): string {
  return (request.routeOptions.config as Partial<RouteName>).name ?? 'unknown';
}
