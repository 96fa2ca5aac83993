/** The job of the load generator. Requests are the bytes of HTTP/1.1, ready to be sent. */
export type Source =
  /** Over and over, beginning anywhere. */
  | { kind: 'cycle'; requests: readonly string[] }
  /** Each once; the stretch ends with the list. */
  | { kind: 'once'; requests: readonly string[] }
  /** Over and over, each time with a fresh key in place of KEY and another amount in place of AMOUNT. */
  | { kind: 'keyed'; requests: readonly string[]; run: string };

/** As long as the keys that take its place, so that Content-Length stays true. */
export const KEY = '$$$$$$$$-key-of-the-request-$$$$$$$$';

/** People rarely pay the same price twice: a create that repeats five others is a separate case. */
export const AMOUNT = '$$$$.$$';

export interface LoadJob {
  port: number;
  source: Source;
  /** Closed: so many callers, each waiting for its response. Open: so many calls a second, whatever the responses do. */
  arrival: { kind: 'closed'; inFlight: number } | { kind: 'open'; ratePerS: number; sockets: number };
  warmUpMs: number;
  durationMs: number;
}

export interface Latency {
  p50Ms: number;
  p90Ms: number;
  p99Ms: number;
  p999Ms: number;
  maxMs: number;
}

export interface LoadResult {
  /** Responses after the warm-up. */
  count: number;
  seconds: number;
  ratePerS: number;
  refused: number;
  firstRefusal: string | undefined;
  latency: Latency;
}
