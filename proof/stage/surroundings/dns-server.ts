import { setTimeout as sleep } from 'node:timers/promises';
import {
  type NameResponse,
  type RecordType,
  type RecordValue,
  startNameServer,
} from '../../../cli/src/dev/name-server.ts';

type DnsFault = 'SERVFAIL' | 'NXDOMAIN' | 'REFUSED' | 'FORMERR' | 'silence';

/** The name server of `payassent dev`, with everything that real ones do wrong. */
export interface DnsServer {
  /** `host:port`, as `SVC_DNS_SERVERS` wants it. */
  readonly address: string;
  readonly queries: readonly { name: string; type: string }[];
  /** Replaces the records of this name and type. */
  set(name: string, type: RecordType, values: readonly RecordValue[]): void;
  /** The first query gets the first response, and so on; the last one stays. */
  setSequence(name: string, type: RecordType, responses: readonly (readonly RecordValue[])[]): void;
  remove(name: string, type?: RecordType): void;
  /** Until `fail(name, undefined)`; with a type only for its queries. */
  fail(name: string, fault: DnsFault | undefined, type?: RecordType): void;
  delay(name: string, delayMs: number): void;
  /** Deletes records, simulated failures, delays and the query log. */
  clear(): void;
  close(): Promise<void>;
}

const TYPES = ['A', 'AAAA', 'TXT'] as const;

export async function startDnsServer(options: { host?: string; port?: number } = {}): Promise<DnsServer> {
  const records = new Map<string, (readonly RecordValue[])[]>();
  const faults = new Map<string, DnsFault>();
  const delays = new Map<string, number>();
  const queries: { name: string; type: string }[] = [];
  const ended = new AbortController();

  const find = (name: string, type: RecordType | undefined): NameResponse => {
    const fault = faults.get(keyOf(name, type)) ?? faults.get(keyOf(name));
    if (fault !== undefined) return fault === 'silence' ? undefined : fault;
    const responses = type === undefined ? undefined : records.get(keyOf(name, type));
    const current =
      responses !== undefined && responses.length > 1 ? responses.shift() : (responses?.[0] ?? []);
    return TYPES.some((each) => records.has(keyOf(name, each))) ? current : 'NXDOMAIN';
  };
  const { address, close } = await startNameServer(async (name, type) => {
    queries.push({ name, type: type ?? 'other' });
    const found = find(name, type);
    const delayMs = delays.get(name);
    if (delayMs !== undefined)
      await sleep(delayMs, undefined, { signal: ended.signal }).catch(() => undefined);
    return found;
  }, options);
  return {
    address,
    queries,
    set: (name, type, values) => void records.set(keyOf(name, type), [values]),
    setSequence: (name, type, responses) => void records.set(keyOf(name, type), [...responses]),
    remove(name, type) {
      for (const each of type === undefined ? TYPES : [type]) records.delete(keyOf(name, each));
    },
    fail(name, fault, type) {
      if (fault === undefined) faults.delete(keyOf(name, type));
      else faults.set(keyOf(name, type), fault);
    },
    delay: (name, delayMs) => void delays.set(name.toLowerCase(), delayMs),
    clear() {
      records.clear();
      faults.clear();
      delays.clear();
      queries.length = 0;
    },
    async close() {
      ended.abort();
      await close();
    },
  };
}

function keyOf(name: string, type?: RecordType): string {
  return `${name.toLowerCase().replace(/\.$/, '')} ${type ?? '*'}`;
}
