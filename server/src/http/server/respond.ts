import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Stream } from '../../lib/event-stream.ts';
import type { DocumentAnswer } from '../document.ts';
import { runStream } from '../event-stream.ts';
import { SERVICE_DESC } from '../headers.ts';
import type { Incoming, Kernel, Outgoing } from '../kernel.ts';
import { type FailedCall, JSON_TYPE, toAppError, toWireError } from '../wire-errors.ts';

/** A request and its response, from the first header on. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  /** Without the query. */
  path: string;
  /** On the monotonic clock. */
  startedMs: number;
  /** The pattern of its path, once it is known. */
  route: string;
  /** The operation, once path and method are known; a document is no operation. */
  operation?: string;
  /** Once its body has been read. */
  incoming?: Incoming;
  /** For pages of other origins; `undefined` where none is listed. */
  cors: Readonly<Record<string, string>> | undefined;
}

/** All headers in one list: 20 µs less than one by one, because Node examines each of them several times. */
export function createAnswerWriter(kernel: Kernel) {
  const { securityHeaders, stopping, clock } = kernel.context;
  const common = [
    ...Object.entries({ ...securityHeaders, ...SERVICE_DESC, 'content-type': JSON_TYPE }).flat(),
  ];
  return ({ response, requestId, cors }: Exchange, { status, headers, text }: Outgoing): void => {
    const length = Buffer.byteLength(text);
    const list = [
      ...common,
      'date',
      dateOf(clock),
      'x-request-id',
      requestId,
      'content-length',
      String(length),
    ];
    if (headers) for (const name in headers) list.push(name, headers[name] ?? '');
    if (cors) for (const name in cors) list.push(name, cors[name] ?? '');
    if (stopping.aborted) list.push('connection', 'close');
    response.writeHead(status, list);
    // Text of as many bytes as characters is ASCII, which Node writes faster without examining each character.
    response.end(text, length === text.length ? 'latin1' : 'utf8');
  };
}

let dateSecond = 0;
let dateText = '';

/** By the clock that decides what expires, so that clients can correct theirs. Formatted once a second. */
function dateOf(clock: Clock): string {
  const now = Math.floor(clock.now().getTime() / 1000);
  if (now !== dateSecond) {
    dateSecond = now;
    dateText = new Date(now * 1000).toUTCString();
  }
  return dateText;
}

/** Responses with a specific type: documents and errors. */
export function writeDocument(
  kernel: Kernel,
  { response, requestId, cors }: Pick<Exchange, 'response' | 'requestId' | 'cors'>,
  { status = 200, contentType, headers, body }: DocumentAnswer,
): void {
  response.writeHead(status, {
    ...commonHeaders(kernel, requestId),
    ...withCors(headers, cors),
    'content-type': contentType,
    ...(status === 304 ? {} : { 'content-length': Buffer.byteLength(body) }),
  });
  response.end(body);
}

/** The response to a browser's preflight request. */
export function writeEmpty(
  kernel: Kernel,
  exchange: Exchange,
  headers: Readonly<Record<string, string>>,
): void {
  const { response, requestId, cors } = exchange;
  response.writeHead(204, { ...commonHeaders(kernel, requestId), ...headers, ...cors });
  response.end();
  observeAnswer(kernel, exchange, 204);
}

/** A document may depend on other headers too. */
function withCors(headers: Record<string, string> | undefined, cors: Exchange['cors']) {
  const vary = headers?.['vary'];
  return { ...headers, ...cors, ...(cors && vary ? { vary: `${vary}, origin` } : {}) };
}

/** An error ends an open stream silently: a caller that opens it again gets the reason. */
export function writeStream(
  kernel: Kernel,
  { response, requestId, cors }: Exchange,
  { status, headers }: Outgoing,
  stream: Stream,
): void {
  const { log, stopping } = kernel.context;
  response.writeHead(status, { ...commonHeaders(kernel, requestId), ...headers, ...cors });
  runStream(response, stream, stopping).catch((error: unknown) => {
    if (toAppError(error).code === 'internal_error')
      log.error({ event: 'stream_failed', requestId, err: error }, 'stream failed');
  });
}

/**
 * Writes an error, unless the response has begun: then its connection is closed, and the caller sees that it is
 * incomplete.
 */
export function writeError(kernel: Kernel, exchange: Exchange, error: unknown): void {
  const { request, response, requestId, route } = exchange;
  const { log, tracer, faults, metrics } = kernel.context;
  const known = toAppError(error);
  if (known.code === 'internal_error')
    log.error({ event: 'call_failed', requestId, ...tracer?.of(request), route, err: error }, 'call failed');
  if (known.code === 'unavailable') faults.note(known.cause);
  metrics.refused(known.code);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const wire = toWireError(known, failedCall(kernel, exchange));
  observeAnswer(kernel, exchange, wire.status, { errorCode: known.code });
  // The rest of a body that is too large is not read.
  const headers =
    known.code === 'payload_too_large' ? { ...wire.headers, connection: 'close' } : wire.headers;
  writeDocument(kernel, exchange, {
    ...wire,
    headers: { ...headers, ...SERVICE_DESC },
    body: JSON.stringify(wire.body),
  });
}

/** The text of an error depends on its call; nothing is known of bytes that are no request. */
function failedCall(
  { context: { config, clock } }: Kernel,
  { request, path, requestId }: Pick<Exchange, 'path' | 'requestId'> & Partial<Exchange>,
): FailedCall {
  // A letter may be percent-encoded.
  const plain = path.replaceAll(/%[0-9a-f]{2}/gi, (code) => {
    const letter = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(letter) ? letter : code;
  });
  return {
    baseUrl: config.baseUrl,
    path: plain,
    accept: request?.headers.accept,
    requestId,
    now: clock.now(),
  };
}

const MALFORMED: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** For bytes that are no HTTP request at all, or that took too long; there is no route and no request. */
export function refuseMalformed(kernel: Kernel, error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = MALFORMED[error.code ?? ''] ?? '400 Bad Request';
  const requestId = newRequestId(kernel);
  const refusal = new AppError('invalid_json', {
    message: `The request could not be read: ${status.slice(4).toLowerCase()}.`,
  });
  const wire = toWireError(refusal, failedCall(kernel, { path: '', requestId }));
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

function commonHeaders(kernel: Kernel, requestId: string): Record<string, string> {
  const { securityHeaders, stopping, clock } = kernel.context;
  return {
    ...securityHeaders,
    date: dateOf(clock),
    'x-request-id': requestId,
    ...(stopping.aborted ? { connection: 'close' } : {}),
  };
}

export function observeAnswer(
  { context: { metrics, log, tracer }, noteCall }: Kernel,
  { request, requestId, route, startedMs, operation = '', incoming }: Exchange,
  status: number,
  { errorCode, waited = false }: { errorCode?: string; waited?: boolean } = {},
): void {
  const durationMs = performance.now() - startedMs;
  const { method = '' } = request;
  metrics.answered(method, route, status, durationMs / 1000, waited);
  const agent = incoming?.caller?.agent;
  if (agent) noteCall({ agent, operation, requestId, status, errorCode, durationMs });
  if (!log.isLevelEnabled('debug')) return;
  // The route's pattern, never the URL: a query may contain a wallet's credential.
  log.debug(
    {
      event: 'answered',
      requestId,
      ...tracer?.of(request),
      method,
      route,
      status,
      ms: Math.round(durationMs),
    },
    'answered',
  );
}

/** The caller's own, if printable. */
export function requestIdOf(kernel: Kernel, request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  if (typeof sent === 'string' && /^[\x20-\x7e]{1,160}$/.test(sent)) return sent;
  return newRequestId(kernel);
}

const ID_BYTES = 12;
const IDS_AT_ONCE = 128;
/** Drawn for many requests in one call: one by one they cost 0.8 µs each. */
let unusedIds = '';

function newRequestId(kernel: Kernel): string {
  if (unusedIds === '')
    unusedIds = Buffer.from(kernel.context.random.bytes(ID_BYTES * IDS_AT_ONCE)).toString('hex');
  const id = `req_${unusedIds.slice(0, 2 * ID_BYTES)}`;
  unusedIds = unusedIds.slice(2 * ID_BYTES);
  return id;
}
