import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

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

// c-ares responds with its own names; everything that is not listed means that a server could not respond.
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

// When one family resolves quickly, it must not wait for a name server that drops queries for the other one.
const secondFamilyGraceMs = 1_000;

interface DnsAddress {
  host: string;
  port: number;
}

/** Reads `host`, `host:port`, `[v6]:port` or a bare IPv6 address; undefined when it is none of them. */
export function parseDnsServer(text: string): DnsAddress | undefined {
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
  const configured = servers === undefined || servers.length === 0 ? undefined : servers.map(requireServer);

  // A separate channel per lookup: c-ares can only cancel all queries of a channel together, and an abandoned lookup
  // must neither keep a socket nor cancel others with it.
  async function query<T>(
    name: string,
    timeoutMs: number,
    ask: (resolver: Resolver) => Promise<T>,
  ): Promise<T> {
    const serverCount = configured?.length ?? 1;
    const resolver = new Resolver({ timeout: firstTryMs(timeoutMs, serverCount), tries: 4 });
    const ended = new AbortController();
    const expiry = sleep(timeoutMs, undefined, { signal: ended.signal }).then(() => {
      throw new DnsError('timeout', `no response about ${name} within ${timeoutMs} ms`);
    });
    const work = (async () => {
      if (configured !== undefined) resolver.setServers(await serverAddresses(configured));
      return await ask(resolver);
    })();
    try {
      return await Promise.race([work, expiry]);
    } catch (error) {
      throw asDnsError(error, name);
    } finally {
      ended.abort();
      resolver.cancel();
      // The loser of the race ends with an error that no caller awaits.
      void Promise.allSettled([work, expiry]);
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

function requireServer(text: string): DnsAddress {
  const server = parseDnsServer(text);
  if (server === undefined) throw new TypeError(`not a DNS server address: ${text}`);
  return server;
}

async function bothFamilies(v4: Promise<string[]>, v6: Promise<string[]>): Promise<string[]> {
  const found: string[][] = [[], []];
  const faults: unknown[] = [];
  const collected = Promise.all(
    [v4, v6].map((family, index) =>
      family.then(
        (addresses) => {
          found[index] = addresses;
        },
        (fault: unknown) => {
          faults.push(fault);
        },
      ),
    ),
  );
  const ended = new AbortController();
  const grace = Promise.any([v4, v6]).then(() =>
    sleep(secondFamilyGraceMs, undefined, { signal: ended.signal }),
  );
  await Promise.race([collected, grace.catch(() => collected)]);
  ended.abort();
  const addresses = found.flat();
  if (addresses.length === 0) throw moreTelling(faults);
  return addresses;
}

// "No such record" is less informative than the reason why the other family could not be queried.
function moreTelling(faults: readonly unknown[]): DnsError {
  const errors = faults.filter((fault) => fault instanceof DnsError);
  const telling = errors.find((error) => error.reason !== 'no_data') ?? errors[0];
  return telling ?? new DnsError('no_data', 'the name has no address');
}

async function serverAddresses(servers: readonly DnsAddress[]): Promise<string[]> {
  const perServer = await Promise.all(
    servers.map(async ({ host, port }) => {
      const addresses = isIP(host) === 0 ? await lookup(host, { all: true }) : [{ address: host }];
      return addresses.map(({ address }) => `${isIP(address) === 6 ? `[${address}]` : address}:${port}`);
    }),
  );
  return perServer.flat();
}

// c-ares doubles the wait with every round: a quarter and a half leave room to query every server twice.
function firstTryMs(timeoutMs: number, serverCount: number): number {
  return Math.max(100, Math.floor(timeoutMs / (4 * Math.max(1, serverCount))));
}

function asDnsError(error: unknown, name: string): DnsError {
  if (error instanceof DnsError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  const reason = failureByCode[code] ?? 'failed';
  return new DnsError(reason, `lookup of ${name} failed (${code})`);
}
