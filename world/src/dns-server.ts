import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import dns2 from 'dns2';

const { Packet } = dns2;

export type RecordType = 'A' | 'AAAA' | 'TXT';
/** One TXT record may be several strings. */
export type RecordValue = string | readonly string[];
export type DnsFault = 'SERVFAIL' | 'NXDOMAIN' | 'REFUSED' | 'FORMERR' | 'silence';

export interface DnsQuery {
  name: string;
  type: string;
}

export interface DnsRecords {
  name: string;
  type: RecordType;
  values: readonly RecordValue[];
}

export interface DnsServer {
  /** `host:port`, as `SVC_DNS_SERVERS` wants it. */
  readonly address: string;
  readonly queries: readonly DnsQuery[];
  /** What is published now, sorted by name. */
  records(): DnsRecords[];
  /** Replaces the records of this name and type. */
  set(name: string, type: RecordType, values: readonly RecordValue[]): void;
  /** The first query gets the first answer, and so on; the last one stays. */
  setSequence(name: string, type: RecordType, answers: readonly (readonly RecordValue[])[]): void;
  remove(name: string, type?: RecordType): void;
  /** Until `fail(name, undefined)`; with a type only for its queries. */
  fail(name: string, fault: DnsFault | undefined, type?: RecordType): void;
  delay(name: string, delayMs: number): void;
  /** Forgets records, faults, delays and the query log. */
  clear(): void;
  close(): Promise<void>;
}

const rcodes = { FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const;
const typeNames = new Map<number, RecordType>([
  [Packet.TYPE.A, 'A'],
  [Packet.TYPE.AAAA, 'AAAA'],
  [Packet.TYPE.TXT, 'TXT'],
]);

type Answers = (readonly RecordValue[])[];

/** A name server, UDP and TCP on one port, that knows only what it is told. On loopback and a free port unless stated. */
export async function startDnsServer(options: { host?: string; port?: number } = {}): Promise<DnsServer> {
  const records = new Map<string, Answers>();
  const faults = new Map<string, DnsFault>();
  const delays = new Map<string, number>();
  const queries: DnsQuery[] = [];
  const timers = new Set<NodeJS.Timeout>();

  const answer = (request: dns2.Packet, send: (packet: dns2.Packet) => unknown): void => {
    const question = request.questions[0];
    if (question === undefined) return;
    const name = question.name.toLowerCase();
    const type = typeNames.get(question.type);
    queries.push({ name, type: type ?? String(question.type) });
    const fault = faults.get(keyOf(name, type)) ?? faults.get(keyOf(name));
    if (fault === 'silence') return;
    const response = Packet.createResponseFromRequest(request);
    response.header.ra = 1;
    if (fault !== undefined) response.header.rcode = rcodes[fault];
    else fill(response, question, type, records);
    const timer = setTimeout(() => {
      timers.delete(timer);
      send(response);
    }, delays.get(name) ?? 0);
    timers.add(timer);
  };

  const { host = '127.0.0.1', port = 0 } = options;
  const listeners = await listen(answer, host, port);
  return {
    address: `${host}:${listeners.port}`,
    queries,
    records: () => [...records].map(toRecords).toSorted((a, b) => a.name.localeCompare(b.name)),
    set: (name, type, values) => void records.set(keyOf(name, type), [values]),
    setSequence: (name, type, answers) => void records.set(keyOf(name, type), [...answers]),
    remove(name, type) {
      for (const each of type === undefined ? typeNames.values() : [type]) records.delete(keyOf(name, each));
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
      for (const timer of timers) clearTimeout(timer);
      await listeners.close();
    },
  };
}

function keyOf(name: string, type?: RecordType): string {
  return `${name.toLowerCase().replace(/\.$/, '')} ${type ?? '*'}`;
}

function toRecords([key, answers]: [string, Answers]): DnsRecords {
  const [name = '', type] = key.split(' ');
  return { name, type: type as RecordType, values: answers[0] ?? [] };
}

function fill(
  response: dns2.Packet,
  question: dns2.Packet.Question,
  type: RecordType | undefined,
  records: Map<string, Answers>,
): void {
  const answers = type === undefined ? undefined : records.get(keyOf(question.name, type));
  const current = answers !== undefined && answers.length > 1 ? answers.shift() : answers?.[0];
  for (const value of current ?? []) {
    response.answers.push(
      Packet.createResourceFromQuestion(question, {
        ttl: 0,
        ...(type === 'TXT'
          ? { data: typeof value === 'string' ? value : [...value] }
          : { address: String(value) }),
      }),
    );
  }
  // A name with other records exists: no data. A name without any does not.
  const exists = [...typeNames.values()].some((each) => records.has(keyOf(question.name, each)));
  if (!exists) response.header.rcode = rcodes.NXDOMAIN;
}

type Answering = (request: dns2.Packet, send: (packet: dns2.Packet) => unknown) => void;

async function listen(answer: Answering, host: string, wantedPort: number) {
  for (let attempt = 0; ; attempt += 1) {
    const udp = dns2.createUDPServer(answer);
    // Its own promise hears nothing of a port that is taken; `once` does.
    const bound = once(udp, 'listening');
    void udp.listen(wantedPort, host);
    await bound;
    const { port } = udp.address();
    const tcp = dns2.createTCPServer(answer);
    const sockets = new Set<Socket>();
    tcp.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket)).on('error', () => undefined);
    });
    try {
      tcp.listen(port, host);
      await once(tcp, 'listening');
    } catch (error) {
      // Somebody else's TCP listener has this number: another one is as good, unless this one was asked for.
      udp.close();
      if (wantedPort !== 0 || attempt >= 9) throw error;
      continue;
    }
    return {
      port: (tcp.address() as AddressInfo).port,
      async close() {
        for (const socket of sockets) socket.destroy();
        const closed = [once(udp, 'close'), once(tcp, 'close')];
        udp.close();
        tcp.close();
        await Promise.all(closed);
      },
    };
  }
}
