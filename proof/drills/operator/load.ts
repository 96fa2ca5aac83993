import { setTimeout as pause } from 'node:timers/promises';
import { ConnectionClient } from '@payassent/sdk';
import type { Database } from '../../../server/src/db/open.ts';
import { patiently } from '../../stage/database/servers.ts';
import type { PaymentStage } from '../../stage/people/payments.ts';
import { SECOND } from '../crowd.ts';

/** A call has 10 s; the rest allows for a machine that is busy recovering. */
const DEADLINE_MS = 10_000;
const SLACK_MS = 5_000;

/** The responses that clients got, attempt by attempt and call by call. */
export interface Told {
  attempts: number;
  /** Calls that returned 503. */
  unavailable: number;
  /** The connection failed before a response came. */
  cut: number;
  /** Attempts that were open for longer than a call may take. */
  late: string[];
  /** Responses that belong to another call, or that no call may get. */
  wrong: string[];
  /** Calls that the SDK gave up. */
  givenUp: string[];
  /** The amount and the last status of each request that was acknowledged. */
  acknowledged: Map<string, { amount: string; status: string }>;
}

export const nothingTold = (): Told => ({
  attempts: 0,
  unavailable: 0,
  cut: 0,
  late: [],
  wrong: [],
  givenUp: [],
  acknowledged: new Map(),
});

export interface Load {
  told: Told;
  stop(): Promise<Told>;
}

export interface LoadOptions {
  url: string;
  stage: PaymentStage;
  clients?: number;
  /** How often the SDK repeats a call: its own default, or as often as an outage needs. */
  maxRetries?: number;
}

/** Clients that create requests through the SDK, read them, and have the wallet reject them. */
export function startLoad({ url, stage, clients = 6, maxRetries = 150 }: LoadOptions): Load {
  const told = nothingTold();
  const observed = observedFetch(told);
  const client = new ConnectionClient({
    baseUrl: url,
    connectionToken: stage.connectionToken,
    fetch: observed,
    maxRetries,
    ...(maxRetries > 3 ? { maxRetryDelayMs: 1_000 } : {}),
  });
  let isOver = false;
  let number = 0;
  const one = async () => {
    number += 1;
    const amount = `${1 + (number % 900)}.${String(number).padStart(6, '0').slice(-6)}1`;
    const { payment_request: made } = await client.paymentRequests.create({
      recipient_id: stage.payee.recipientId,
      recipient_version_id: stage.payee.recipientVersionId,
      payment: { amount },
      policy: { requires_user_approval: true },
    });
    if (made.payment.amount !== amount) told.wrong.push(`created ${amount}, got ${made.payment.amount}`);
    told.acknowledged.set(made.request_id, { amount, status: 'pending' });
    const { payment_request: read } = await client.paymentRequests.get(made.request_id);
    if (read.request_id !== made.request_id || read.payment.amount !== amount)
      told.wrong.push(`read ${made.request_id}, got ${read.request_id}`);
    await reject(made.request_id);
    told.acknowledged.set(made.request_id, { amount, status: 'rejected' });
  };
  /** The same word of the wallet again changes nothing. */
  const reject = async (requestId: string) => {
    const { device_id, token } = stage.device;
    for (let turn = 0; turn < Math.max(30, maxRetries); turn += 1) {
      const response = await observed(`${url}/v1/payment-requests/${requestId}/status`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ device_id, token, status: 'rejected' }),
      }).catch(() => undefined);
      const text = await response?.text().catch(() => undefined);
      if (response?.status === 200 && text !== undefined) return;
      if (response && response.status !== 503) told.wrong.push(`reject: ${response.status} ${text}`);
      // As the SDK does: soon at first, then once a second.
      await pause(Math.min(SECOND, 100 * (turn + 1)));
    }
    throw new Error('the report never got through');
  };
  const live = async () => {
    while (!isOver) {
      try {
        await one();
      } catch (error) {
        told.givenUp.push((error as Error).message);
        await pause(100);
      }
    }
  };
  const living = Promise.all(Array.from({ length: clients }, live));
  return {
    told,
    async stop() {
      isOver = true;
      await living;
      return told;
    },
  };
}

function observedFetch(told: Told): typeof fetch {
  return async (input, init) => {
    const startedMs = performance.now();
    told.attempts += 1;
    try {
      const response = await fetch(input, init);
      if (response.status === 503) told.unavailable += 1;
      else if (response.status >= 400)
        told.wrong.push(`${response.status} of ${init?.method ?? 'GET'} ${path(input)}`);
      return response;
    } catch (error) {
      told.cut += 1;
      throw error;
    } finally {
      const tookMs = performance.now() - startedMs;
      if (tookMs > DEADLINE_MS + SLACK_MS) told.late.push(`${path(input)} took ${Math.round(tookMs)} ms`);
    }
  };
}

const path = (input: unknown) => new URL(String(input)).pathname;

/** Acknowledged records that are missing, or that differ from what was acknowledged. */
export async function missingAcknowledgements(db: Database, told: readonly Told[]): Promise<string[]> {
  const rows = await patiently(
    () => db<{ request_id: string; amount: string; status: string }[]>`
      select request_id, amount::text as amount, status from payment_requests`,
  );
  const stored = new Map(rows.map((row) => [row.request_id, row]));
  return told.flatMap(({ acknowledged }) =>
    [...acknowledged].flatMap(([id, { amount, status }]) => {
      const row = stored.get(id);
      if (!row) return [`${id} is gone`];
      if (Number(row.amount) !== Number(amount)) return [`${id} was ${amount} and is ${row.amount}`];
      return status === 'rejected' && row.status !== status ? [`${id} was ${status}, is ${row.status}`] : [];
    }),
  );
}
