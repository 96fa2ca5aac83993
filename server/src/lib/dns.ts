import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

export interface Dns {
  /** The TXT records of a name, the strings of each record joined. */
  txt(name: string, timeoutMs: number): Promise<string[]>;
  /** The A and AAAA records of a name, IPv4 first. Never reads the hosts file or a search list. */
  addresses(name: string, timeoutMs: number): Promise<string[]>;
}

export type DnsFailure = 'not_found' | 'no_data' | 'timeout' | 'refused' | 'failed';

export class DnsError extends Error {
  override readonly name = 'DnsError';
  readonly reason: DnsFailure;

  constructor(reason: DnsFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}

// c-ares answers with its own names; everything that is not listed is a server that could not answer.
const failureByCode: Record<string, DnsFailure> = {
  ENOTFOUND: 'not_found',
  EBADNAME: 'not_found',
  ENONAME: 'not_found',
  ENODATA: 'no_data',
  ETIMEOUT: 'timeout',
  ECANCELLED: 'timeout',
  EREFUSED: 'refused',
  ECONNREFUSED: 'refused',
};

// One family answering quickly must not wait for a name server that drops queries for the other one.
const secondFamilyGraceMs = 1_000;

export interface DnsServer {
  host: string;
  port: number;
}

/** Reads `host`, `host:port`, `[v6]:port` or a bare IPv6 address; undefined when it is none of them. */
export function parseDnsServer(text: string): DnsServer | undefined {
  if (isIP(text) === 6) return { host: text, port: 53 };
  const match = /^(?:\[([^\]]+)\]|([^:[\]\s/]+))(?::(\d{1,5}))?$/.exec(text);
  if (match === null) return undefined;
  const [, bracketed, plain, portText] = match;
  const port = portText === undefined ? 53 : Number(portText);
  if (port < 1 || port > 65_535) return undefined;
  if (bracketed !== undefined) return isIP(bracketed) === 6 ? { host: bracketed, port } : undefined;
  return plain === undefined ? undefined : { host: plain, port };
}

/** A resolver over the given servers, or over the system's when none are given. */
export function createDns(servers: readonly string[] | undefined): Dns {
  const configured = servers?.map((text) => {
    const server = parseDnsServer(text);
    if (server === undefined) throw new TypeError(`not a DNS server address: ${text}`);
    return server;
  });

  // A channel of its own per lookup: c-ares can only cancel all queries of a channel at once, and a lookup
  // that is given up must not keep a socket, nor take others with it.
  async function query<T>(
    name: string,
    timeoutMs: number,
    ask: (resolver: Resolver) => Promise<T>,
  ): Promise<T> {
    const serverCount = configured?.length ?? 1;
    const resolver = new Resolver({ timeout: firstTryMs(timeoutMs, serverCount), tries: 4 });
    const deadline = timer(timeoutMs);
    const work = (async () => {
      if (configured !== undefined) resolver.setServers(await serverAddresses(configured));
      return await ask(resolver);
    })();
    try {
      return await Promise.race([
        work,
        deadline.expired.then(() => {
          throw new DnsError('timeout', `no answer about ${name} within ${timeoutMs} ms`);
        }),
      ]);
    } catch (error) {
      work.catch(() => undefined);
      throw asDnsError(error, name);
    } finally {
      deadline.clear();
      resolver.cancel();
    }
  }

  return {
    async txt(name, timeoutMs) {
      const records = await query(name, timeoutMs, (resolver) => resolver.resolveTxt(name));
      return records.map((strings) => strings.join(''));
    },
    async addresses(name, timeoutMs) {
      const v4 = query(name, timeoutMs, (resolver) => resolver.resolve4(name));
      const v6 = query(name, timeoutMs, (resolver) => resolver.resolve6(name));
      return await bothFamilies(v4, v6);
    },
  };
}

async function bothFamilies(v4: Promise<string[]>, v6: Promise<string[]>): Promise<string[]> {
  const grace = { clear: () => {} };
  const none: string[] = [];
  // The slower family gets a second once the faster one has an answer to use.
  const graceful = (own: Promise<string[]>, other: Promise<string[]>): Promise<string[]> =>
    Promise.race([
      own,
      other.then(
        async () => {
          const wait = timer(secondFamilyGraceMs);
          const clearBefore = grace.clear;
          grace.clear = () => {
            clearBefore();
            wait.clear();
          };
          await wait.expired;
          return none;
        },
        () => own,
      ),
    ]);
  const [first, second] = await Promise.allSettled([graceful(v4, v6), graceful(v6, v4)]);
  grace.clear();
  const found = [first, second].flatMap((one) => (one.status === 'fulfilled' ? one.value : none));
  if (found.length > 0) return found;
  throw moreTelling(first, second);
}

function moreTelling(first: PromiseSettledResult<unknown>, second: PromiseSettledResult<unknown>): DnsError {
  const errors = [first, second].flatMap((one) =>
    one.status === 'rejected' && one.reason instanceof DnsError ? [one.reason] : [],
  );
  // "No such record" says less than the reason why the other family could not be asked.
  const telling = errors.find((error) => error.reason !== 'no_data') ?? errors[0];
  return telling ?? new DnsError('no_data', 'the name has no address');
}

async function serverAddresses(servers: readonly DnsServer[]): Promise<string[]> {
  return await Promise.all(
    servers.map(async ({ host, port }) => {
      const address = isIP(host) === 0 ? (await lookup(host)).address : host;
      return isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
    }),
  );
}

// c-ares doubles the wait with every round; starting at an eighth leaves room for two rounds over all servers.
function firstTryMs(timeoutMs: number, serverCount: number): number {
  return Math.max(100, Math.floor(timeoutMs / (4 * Math.max(1, serverCount))));
}

function asDnsError(error: unknown, name: string): DnsError {
  if (error instanceof DnsError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  const reason = failureByCode[code] ?? 'failed';
  return new DnsError(reason, `lookup of ${name} failed (${code})`);
}

function timer(timeoutMs: number): { expired: Promise<void>; clear(): void } {
  let handle: NodeJS.Timeout | undefined;
  const expired = new Promise<void>((resolve) => {
    handle = setTimeout(resolve, timeoutMs);
  });
  return { expired, clear: () => clearTimeout(handle) };
}
