import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type Behaviour, behave } from '../../stage/surroundings/http-receiver.ts';
import type { Random } from './random.ts';

/** One request that reached a merchant's receiver. */
export interface Receipt {
  at: number;
  endAt?: number;
  /** Which endpoint, by the path of its URL. */
  place: string;
  eventId: string;
  bodyHash: string;
  isGenuine: boolean;
  /** The status of the response; 0 when there was none. */
  status: number;
}

type Manners = 'good' | 'slow' | 'refuses' | 'garbage' | 'resets' | 'hangs' | 'half';

export interface Receivers {
  readonly url: string;
  readonly receipts: Receipt[];
  /** Secrets by place, oldest first: a rotation adds one. */
  learnSecret(place: string, secret: string): void;
  /** The share of requests that are treated badly. */
  setBadness(share: number): void;
  close(): Promise<void>;
}

const BAD: readonly (readonly [Manners, number])[] = [
  ['slow', 3],
  ['refuses', 3],
  ['garbage', 2],
  ['resets', 2],
  ['half', 2],
  ['hangs', 1],
];

/** All merchants' receivers: they record requests, check the signature, and misbehave by their script. */
export async function startReceivers(file: string, random: Random): Promise<Receivers> {
  const log = createWriteStream(file, { flags: 'a' });
  const receipts: Receipt[] = [];
  const secrets = new Map<string, string[]>();
  const sockets = new Set<Socket>();
  let badness = 0;

  const handle = (incoming: IncomingMessage, body: Buffer, response: ServerResponse) => {
    const place = incoming.url ?? '';
    const challenge = challengeIn(body);
    if (challenge !== undefined) return void response.end(challenge);
    const manners = random.chance(badness) ? random.weighted(BAD) : 'good';
    const receipt: Receipt = {
      at: Date.now(),
      place,
      eventId: String(incoming.headers['webhook-id'] ?? ''),
      bodyHash: createHash('sha256').update(body).digest('hex'),
      isGenuine: isGenuine(incoming, body, secrets.get(place) ?? []),
      status: manners === 'good' || manners === 'slow' ? 200 : manners === 'refuses' ? 500 : 0,
    };
    receipts.push(receipt);
    response.once('close', () => {
      receipt.endAt = Date.now();
      log.write(`${JSON.stringify(receipt)}\n`);
    });
    // Even a good receiver takes a moment: two workers with one delivery would meet here.
    const delayMs = manners === 'slow' ? random.between(300, 3000) : random.between(5, 120);
    const timer = setTimeout(() => behave(BEHAVIOURS[manners], response), delayMs);
    response.once('close', () => clearTimeout(timer)).on('error', () => undefined);
  };
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('error', () => undefined).on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => handle(incoming, Buffer.concat(chunks), response));
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    receipts,
    learnSecret: (place, secret) => void secrets.set(place, [...(secrets.get(place) ?? []), secret]),
    setBadness(share) {
      badness = share;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
      await new Promise((resolve) => log.end(resolve));
    },
  };
}

const BEHAVIOURS: Record<Manners, Behaviour> = {
  good: { kind: 'answer', body: 'ok' },
  slow: { kind: 'answer', body: 'ok' },
  refuses: { kind: 'answer', status: 500 },
  garbage: { kind: 'garbage' },
  resets: { kind: 'reset', when: 'before-headers' },
  half: { kind: 'raw', bytes: 'HTTP/1.1 200 OK\r\ncontent-len' },
  hangs: { kind: 'never' },
};

function challengeIn(body: Buffer): string | undefined {
  const text = body.toString('utf8');
  return text.includes('"webhook.verification"') ? JSON.parse(text).data.challenge : undefined;
}

/** Standard Webhooks, as a merchant would check it: any of the signatures with any secret that was handed out. */
function isGenuine(incoming: IncomingMessage, body: Buffer, secrets: readonly string[]): boolean {
  const {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures,
  } = incoming.headers;
  const given = String(signatures ?? '').split(' ');
  return secrets.some((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const mac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
    return given.includes(`v1,${mac}`);
  });
}
