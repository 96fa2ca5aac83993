import type { IncomingMessage } from 'node:http';
import { headerValues } from './headers.ts';

/**
 * The headers that pages of other origins may send and read. Never cookies: no response lets a browser send credentials
 * of this service.
 */
const TAKEN = [
  'accept',
  'authorization',
  'content-type',
  'dpop',
  'idempotency-key',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'traceparent',
  'x-idempotency-key',
  'x-request-id',
  'x-svc-api-key',
].join(', ');
const SHOWN = [
  'etag',
  'idempotency-replayed',
  'link',
  'mcp-session-id',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'www-authenticate',
  'x-request-id',
].join(', ');
const REMEMBERED_S = 600;

export interface Cors {
  /** Added to every response; `undefined` where no origin is listed. */
  headersFor(request: IncomingMessage): Record<string, string> | undefined;
  /** A browser's preflight request from a listed origin. */
  isPreflight(request: IncomingMessage): boolean;
}

/** Lets pages of exactly these origins (`SVC_CORS_ORIGINS`) make calls from a browser. */
export function createCors(origins: readonly string[]): Cors {
  if (origins.length === 0) return { headersFor: () => undefined, isPreflight: () => false };
  return {
    headersFor(request) {
      const origin = listedOrigin(origins, request);
      // Also without an origin: what is cached for one caller must not be shown to another.
      if (origin === undefined) return { vary: 'origin' };
      return {
        vary: 'origin',
        'access-control-allow-origin': origin,
        'access-control-expose-headers': SHOWN,
      };
    },
    isPreflight: (request) =>
      request.method === 'OPTIONS' &&
      request.headers['access-control-request-method'] !== undefined &&
      listedOrigin(origins, request) !== undefined,
  };
}

/** The origin of the calling page, if it is one of these. */
export function listedOrigin(origins: readonly string[], request: IncomingMessage): string | undefined {
  const [origin = '', ...others] = headerValues(request, 'origin');
  return others.length === 0 && origins.includes(origin) ? origin : undefined;
}

export function preflightHeaders(allowed: readonly string[]): Record<string, string> {
  return {
    'access-control-allow-methods': allowed.join(', '),
    'access-control-allow-headers': TAKEN,
    'access-control-max-age': String(REMEMBERED_S),
  };
}
