import { connect } from 'node:net';

/** What a test sends. Everything is optional; nothing is added behind the test's back but the content type. */
export interface Sent {
  body?: unknown;
  /** Bytes as they are, instead of `body`. */
  rawBody?: string | Uint8Array;
  headers?: Record<string, string>;
  /** `Authorization: Bearer …` */
  bearer?: string;
  /** A signed-in merchant: cookie, and the CSRF proof on mutations. */
  session?: { cookie: string; csrf: string };
  /** A wallet's device, sent as the specification has it: in the body, or in the query of a GET. */
  device?: { device_id: string; token: string };
  apiKey?: string;
  idempotencyKey?: string;
  query?: Record<string, string | number>;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape and assert on what they read
export type Body = any;

export interface Received {
  status: number;
  headers: Headers;
  text: string;
  body: Body;
}

export type Caller = (method: string, path: string, sent?: Sent) => Promise<Received>;

export function createCaller(baseUrl: string): Caller {
  return async (method, path, sent = {}) => {
    const url = new URL(baseUrl + path);
    for (const [name, value] of Object.entries(sent.query ?? {})) url.searchParams.set(name, String(value));
    const headers = new Headers(sent.headers);
    if (sent.bearer !== undefined) headers.set('authorization', `Bearer ${sent.bearer}`);
    if (sent.apiKey !== undefined) headers.set('x-svc-api-key', sent.apiKey);
    if (sent.idempotencyKey !== undefined) headers.set('x-idempotency-key', sent.idempotencyKey);
    if (sent.session) {
      headers.set('cookie', sent.session.cookie);
      if (method !== 'GET') headers.set('x-csrf-token', sent.session.csrf);
    }
    let payload = sent.rawBody;
    if (payload === undefined && (sent.body !== undefined || (sent.device && method !== 'GET'))) {
      payload = JSON.stringify({ ...(sent.body as object), ...sent.device });
    } else if (sent.device && method === 'GET') {
      url.searchParams.set('device_id', sent.device.device_id);
      url.searchParams.set('token', sent.device.token);
    }
    if (payload !== undefined && !headers.has('content-type'))
      headers.set('content-type', 'application/json');
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      ...(payload === undefined ? {} : { body: payload as BodyInit }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text !== '' ? JSON.parse(text) : undefined,
    };
  };
}

/** The service's response to raw bytes, until it closes the connection. */
export function rawAnswer(url: string, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
  });
}

/** How long a response took, next to the response. */
export async function timed(pending: Promise<Received>): Promise<Received & { ms: number }> {
  const start = performance.now();
  const received = await pending;
  return { ...received, ms: performance.now() - start };
}
