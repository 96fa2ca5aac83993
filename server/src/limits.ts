/*
 * Every limit of the whole service that matters outside the code: how many of a thing there may be, how large a request
 * may be, and how long each party waits. docs/operators/configuration.md prints these tables; all code that uses one of
 * them reads it from here. Rate limits are in `http/limits/table.ts`, days that rows are kept in `jobs/retention.ts`.
 */

/** How much one party may accumulate before it gets 409 `limit_reached`; `SVC_CAPS` changes them by name. */
export const CAPS = {
  pending_requests: { count: 10_000, per: 'connection', about: 'pending payment requests' },
  open_policies: { count: 100, per: 'connection', about: 'policies that are not revoked or expired' },
  connect_keys: { count: 20, per: 'wallet', about: 'Connect Keys that can still be claimed' },
  codes: { count: 20, per: 'wallet', about: 'link codes that can still be used' },
  endpoint_deliveries: { count: 100_000, per: 'webhook endpoint', about: 'deliveries that wait' },
} as const satisfies Record<string, { count: number; per: string; about: string }>;

/** The same for limits that no setting changes. */
export const FIXED_CAPS = {
  organizations: { count: 100, per: 'team member', about: 'organizations that one person founds' },
  operators: { count: 100, per: 'organization', about: 'team members' },
  domains: { count: 100, per: 'organization', about: 'domains' },
  endpoints: { count: 16, per: 'organization', about: 'webhook endpoints' },
  approvals: { count: 100, per: 'organization', about: 'changes that wait for a second owner' },
  passkeys: { count: 20, per: 'team member', about: 'passkeys' },
  versions: { count: 1000, per: 'payee', about: 'versions' },
  loggedCalls: {
    count: 10_000,
    per: 'organization',
    about: 'calls in the request log; the oldest make room',
  },
} as const satisfies Record<string, { count: number; per: string; about: string }>;

/** How large a request may be. A longer one is rejected before it is parsed. */
export const REQUEST_SIZES = {
  bodyBytes: { count: 64 * 1024, about: 'bytes of a body (413)' },
  headerBytes: { count: 16 * 1024, about: 'bytes of all headers, with the target (431)' },
  bodyDepth: { count: 32, about: 'levels of JSON in a body (400)' },
  queryParameters: { count: 64, about: 'query parameters (400)' },
  // 160 code points, each up to four bytes, each byte percent-encoded.
  pathPart: { count: 160 * 4 * 3, about: 'characters of an id in a path (404)' },
  idempotencyKey: { count: 256, about: 'characters of an idempotency key (400)' },
} as const satisfies Record<string, { count: number; about: string }>;

/** Time-outs in seconds. Those of statements are in `db/open.ts`. */
export const TIME_OUTS = {
  call: {
    s: 10,
    about: 'a call, without a requested `wait` and the time of other servers, see below; then 503',
  },
  headers: { s: 8, about: 'the headers of a request; then the connection is closed' },
  request: { s: 10, about: 'a whole request; then 408' },
  keepAlive: { s: 75, about: 'the next request on a connection' },
  streamReader: { s: 30, about: 'the reader of a stream to take what it was sent; then it is cut off' },
  stop: { s: 14, about: 'calls and jobs under way when the service stops, after a drain of up to 5 s' },
  workerStop: { s: 12, about: 'the same of one worker process; then it is killed' },
  stalledJob: { s: 60, about: 'a turn of a background job, before `/health` calls it stalled' },
  webhook: { s: 15, about: 'the receiver of a webhook' },
  push: { s: 10, about: 'a push service' },
  witness: { s: 10, about: 'a witness of the transparency log' },
  chain: { s: 5, about: 'a source of observed payments' },
  domainDns: { s: 5, about: 'the name servers of a domain that is proved' },
  domainHttps: { s: 10, about: 'the web server of a domain that is proved' },
} as const satisfies Record<string, { s: number; about: string }>;
