import {
  type Behaviour,
  startHttpReceiver,
  type TestReceiver,
} from '@payassent/proof/surroundings/http-receiver';
import { formatToken, type TokenKind } from '@payassent/protocol';
import { type ClientOptions, type RetryNotice, WalletClient } from '@payassent/sdk';
import { onTestFinished } from 'vitest';
import { createVirtualClock } from './virtual-clock.ts';

/** A server on loopback that follows a script; closes with the test. */
export async function scriptedServer(...script: Behaviour[]): Promise<TestReceiver> {
  const server = await startHttpReceiver();
  onTestFinished(() => server.close());
  const last = script.at(-1) ?? { kind: 'never' };
  server.script((_, index) => script[index] ?? last);
  return server;
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Behaviour {
  return {
    kind: 'answer',
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(body),
  };
}

export function refusal(status: number, code: string, headers: Record<string, string> = {}): Behaviour {
  return json(status, { ok: false, error: { code, message: 'No.', request_id: 'req-1' } }, headers);
}

/** The response of any empty list. */
export const NO_CONNECTIONS = json(200, { ok: true, connections: [], next_cursor: null });

/** Short enough to wait for in a test; only for servers that are meant to be too slow. */
export const SHORT_MS = 250;
const TIMEOUT_MS = 10_000;

export function sampleToken(kind: TokenKind): string {
  return formatToken(kind, new Uint8Array(32));
}

/** A wallet whose waits pass immediately, with a record of them. */
export function setUp(url: string, extra: Partial<ClientOptions> = {}) {
  const timeoutMs = extra.timeoutMs ?? TIMEOUT_MS;
  const clock = createVirtualClock(timeoutMs);
  const retries: RetryNotice[] = [];
  const onRetry = (notice: RetryNotice) => void retries.push(notice);
  const options = { baseUrl: url, clock, timeoutMs, onRetry, ...extra };
  const wallet = new WalletClient({ ...options, deviceToken: sampleToken('device') });
  return { clock, retries, options, wallet };
}

/** What was thrown; undefined when nothing was. */
export function caught(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}
