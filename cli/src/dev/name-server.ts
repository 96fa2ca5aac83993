import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import dns2 from 'dns2';

const { Packet } = dns2;

export type RecordType = 'A' | 'AAAA' | 'TXT';
/** One TXT record may be several strings. */
export type RecordValue = string | readonly string[];

const RCODES = { FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const;
const TYPES = new Map<number, RecordType>([
  [Packet.TYPE.A, 'A'],
  [Packet.TYPE.AAAA, 'AAAA'],
  [Packet.TYPE.TXT, 'TXT'],
]);

/** Records, none where the name has only others, an error, or undefined: no response at all. */
export type NameResponse = readonly RecordValue[] | keyof typeof RCODES | undefined;

/** The name is in lower case; the type is undefined when it is none of `RecordType`. */
type Lookup = (name: string, type: RecordType | undefined) => NameResponse | Promise<NameResponse>;

/**
 * A name server, UDP and TCP on one port, that knows only what it is given. On loopback and a free port unless given.
 */
export async function startNameServer(
  lookup: Lookup,
  { host = '127.0.0.1', port = 0 }: { host?: string; port?: number } = {},
): Promise<{ address: string; close(): Promise<void> }> {
  let isClosed = false;
  const respond = async (request: dns2.Packet, send: (packet: dns2.Packet) => unknown): Promise<void> => {
    const [question] = request.questions;
    if (question === undefined) return;
    const type = TYPES.get(question.type);
    const found = await lookup(question.name.toLowerCase(), type);
    if (found === undefined || isClosed) return;
    const response = Packet.createResponseFromRequest(request);
    response.header.ra = 1;
    if (typeof found === 'string') response.header.rcode = RCODES[found];
    else
      for (const value of found) {
        const data = type === 'TXT' ? { data: value } : { address: String(value) };
        response.answers.push(Packet.createResourceFromQuestion(question, { ttl: 0, ...data } as object));
      }
    send(response);
  };
  const listeners = await listen((request, send) => void respond(request, send), host, port);
  return {
    address: `${host}:${listeners.port}`,
    close() {
      isClosed = true;
      return listeners.close();
    },
  };
}

type Responder = (request: dns2.Packet, send: (packet: dns2.Packet) => unknown) => void;

async function listen(respond: Responder, host: string, wantedPort: number) {
  for (let attempt = 0; ; attempt += 1) {
    const udp = dns2.createUDPServer(respond);
    // The promise of `listen` never rejects when the port is taken; `once` does.
    const bound = once(udp, 'listening');
    void udp.listen(wantedPort, host);
    await bound;
    const { port } = udp.address();
    const tcp = dns2.createTCPServer(respond);
    const sockets = new Set<Socket>();
    tcp.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket)).on('error', () => undefined);
    });
    try {
      tcp.listen(port, host);
      await once(tcp, 'listening');
    } catch (error) {
      // Another program's TCP listener has this number: another one is as good, unless this one was requested.
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
