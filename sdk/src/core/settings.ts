import { needObject } from './checks.ts';
import { type Clock, systemClock } from './clock.ts';
import { createRateLimitMemory, type RateLimitMemory } from './rate-limits.ts';

/** The part of `fetch` that the SDK uses; every runtime's own `fetch` fits. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Options of every client. Only `baseUrl` is required. */
export interface ClientOptions {
  /** The base URL of the service, for example `https://pay.example` or `http://127.0.0.1:8787`. */
  baseUrl: string;
  /** Another `fetch`, for proxies, tracing or tests. Defaults to the runtime's. */
  fetch?: Fetch;
  /** Another clock. Defaults to the system's. */
  clock?: Clock;
  /** Another source of random bytes. Defaults to Web Crypto. */
  randomBytes?: (length: number) => Uint8Array;
  /** Sent with every call. A name that carries a credential or an idempotency key is refused. */
  headers?: Readonly<Record<string, string>>;
  /** For one attempt, its response included; a long poll adds the time it waits. Default 30,000. */
  timeoutMs?: number;
  /** How often a call that is safe to repeat is retried. Default 3; 0 for never. */
  maxRetries?: number;
  /**
   * The longest pause before a retry, to which up to a second is added at random; where the service requests more, the
   * error is thrown. Default 60,000.
   */
  maxRetryDelayMs?: number;
  /** Allows `http:` to a host that is not loopback. Tokens then travel in the clear. */
  allowInsecureHttp?: boolean;
  /** Called with every retry before its pause begins. */
  onRetry?: (notice: RetryNotice) => void;
}

/** The argument of `onRetry`: never a credential, body or query. */
export interface RetryNotice {
  /** Method and published path, for example `POST /v1/payment-requests`. */
  call: string;
  /** The attempt that failed, from 1. */
  attempt: number;
  /** How long the SDK waits before the next one. */
  delayMs: number;
  /** `code` of the error, for example `network_error` or `rate_limited`. */
  code: string;
}

/** Options with their defaults filled in and checked. */
export interface Settings {
  readonly baseUrl: string;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly randomBytes: (length: number) => Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly maxRetryDelayMs: number;
  readonly onRetry: (notice: RetryNotice) => void;
  readonly rateLimits: RateLimitMemory;
}

export function resolveSettings(options: ClientOptions): Settings {
  needObject(
    options,
    "A client is given its options as an object, for example { baseUrl: 'https://pay.example' }",
  );
  const clock = options.clock ?? systemClock;
  for (const name of ['fetch', 'randomBytes', 'onRetry'] as const)
    if (options[name] !== undefined && typeof options[name] !== 'function')
      throw new TypeError(`${name} must be a function; leave it out to use the runtime's own`);
  const headers = { ...options.headers };
  refuseReservedHeaders(headers);
  return {
    baseUrl: readBaseUrl(options.baseUrl, options.allowInsecureHttp ?? false),
    // Resolved at each call, so that a fetch that is patched later is used, and called as a global.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    clock,
    randomBytes:
      options.randomBytes ?? ((length) => globalThis.crypto.getRandomValues(new Uint8Array(length))),
    headers,
    timeoutMs: atLeast('timeoutMs', options.timeoutMs ?? 30_000, 1),
    maxRetries: atLeast('maxRetries', options.maxRetries ?? 3, 0),
    maxRetryDelayMs: atLeast('maxRetryDelayMs', options.maxRetryDelayMs ?? 60_000, 0),
    onRetry: options.onRetry ?? (() => undefined),
    rateLimits: createRateLimitMemory(clock),
  };
}

function readBaseUrl(text: string, allowInsecureHttp: boolean): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new TypeError('baseUrl must be an absolute address such as https://pay.example');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new TypeError('baseUrl must begin with https:// (or http:// on loopback)');
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname) && !allowInsecureHttp)
    throw new TypeError('baseUrl uses http to another machine; use https, or set allowInsecureHttp');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new TypeError('baseUrl must not carry a user name, password, query or fragment');
  if (/\/v1\/?$/.test(url.pathname))
    throw new TypeError('baseUrl must not end with /v1: the SDK adds it to every call');
  return `${url.origin}${url.pathname === '/' ? '' : url.pathname.replace(/\/$/, '')}`;
}

/** Also refuses NaN, which every comparison lets through. */
export function atLeast(name: string, value: number, minimum: number): number {
  if (typeof value !== 'number' || !(value >= minimum))
    throw new TypeError(`${name} must be a number of at least ${minimum}`);
  return value;
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** As `URL.hostname` spells it. */
function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK.includes(hostname);
}

/**
 * Names that only the SDK writes. A custom header of that name is refused before anything is sent: dropping it
 * silently would hide a mistake, sending it would let a stray setting replace a credential.
 */
const RESERVED: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'x-svc-api-key',
  'x-csrf-token',
  'dpop',
  'x-idempotency-key',
  'idempotency-key',
  'content-type',
  'content-length',
  'accept',
  'host',
]);

export function refuseReservedHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (RESERVED.has(name.trim().toLowerCase()))
      throw new TypeError(`The header ${name.trim().toLowerCase()} is written by the SDK and cannot be set`);
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) throw new TypeError('A custom header has no valid name');
    if (typeof value !== 'string' || !/^[\t\x20-\x7e]*$/.test(value))
      throw new TypeError(`The custom header ${name} has a value that cannot be sent`);
  }
}

/** Later sources win, and the SDK's own come last. */
export function mergeHeaders(...sources: Readonly<Record<string, string>>[]): Record<string, string> {
  const merged: Record<string, string> = {};
  for (const source of sources)
    for (const [name, value] of Object.entries(source)) merged[name.toLowerCase()] = value;
  return merged;
}
