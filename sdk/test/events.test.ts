import {
  ConnectionClient,
  type EventsOptions,
  isPayAssentError,
  type PaymentRequestEvent,
} from '@payassent/sdk';
import { describe, expect, it } from 'vitest';
import { caught, json, refusal, sampleToken, scriptedServer, setUp } from './harness/scripted.ts';

function event(sequence: number): Partial<PaymentRequestEvent> {
  return { event_id: `evt_${sequence}`, sequence, type: 'payment_request.signed', request_id: 'r' };
}

function page(since: number, sequences: number[], next_cursor = sequences.at(-1) ?? since) {
  return json(200, { ok: true, events: sequences.map(event), next_cursor, has_more: false });
}

function clientOf(url: string) {
  const { options, clock } = setUp(url);
  return { clock, client: new ConnectionClient({ ...options, connectionToken: sampleToken('connection') }) };
}

async function take(
  client: ConnectionClient,
  count: number,
  since = 0,
  options: EventsOptions = {},
): Promise<number[]> {
  const numbers: number[] = [];
  for await (const { sequence } of client.paymentRequests.events({ since, ...options })) {
    numbers.push(sequence);
    if (numbers.length === count) break;
  }
  return numbers;
}

describe('followed events', () => {
  it('continue from the last number that was handed out', async () => {
    const server = await scriptedServer(page(0, [1, 2]), page(2, []), page(2, [3]));
    const { client } = clientOf(server.url);
    expect(await take(client, 3)).toEqual([1, 2, 3]);
    const cursors = server.requests.map(({ path }) => new URL(path, server.url).searchParams.get('since'));
    expect(cursors).toEqual(['0', '2', '2']);
    expect(server.requests[0]?.path).toContain('wait=25');
  });

  it('survive a service that is away for a moment, without losing or repeating one', async () => {
    const server = await scriptedServer(
      page(0, [1]),
      refusal(503, 'unavailable'),
      { kind: 'reset', when: 'before-headers' },
      page(1, [2, 3]),
    );
    expect(await take(clientOf(server.url).client, 3)).toEqual([1, 2, 3]);
  });

  it.each([
    ['a missing number', page(0, [2]), 1, 2],
    ['a gap inside a page', page(0, [1, 3]), 2, 3],
    ['a number twice', page(0, [1, 1]), 2, 1],
    ['numbers out of order', page(0, [2, 1], 2), 1, 2],
    ['a cursor that skips', page(0, [1], 5), 1, 5],
    ['a cursor that jumps on an empty page', page(0, [], 9), 0, 9],
  ])('end with an error on %s', async (_, answer, expected, received) => {
    const server = await scriptedServer(answer);
    const error = await caught(take(clientOf(server.url).client, 1));
    if (!isPayAssentError(error) || error.code !== 'event_gap') throw error;
    expect([error.expected, error.received]).toEqual([expected, received]);
  });

  it('do not spin when the service returns empty pages immediately', async () => {
    const server = await scriptedServer(page(0, []), page(0, []), page(0, [1]));
    const { client, clock } = clientOf(server.url);
    await take(client, 1);
    const pauses = clock.waits.filter((ms) => ms > 500 && ms <= 1000);
    expect(pauses).toHaveLength(2);
  });
});

function streamOf(text: string) {
  return { kind: 'answer', headers: { 'content-type': 'text/event-stream' }, body: text } as const;
}

const message = (sequence: number) =>
  `event: payment_request\nid: ${sequence}\ndata: ${JSON.stringify(event(sequence))}\n\n`;

describe('streamed events', () => {
  const stream = { stream: true };

  it('continue after the last number that was handed out when the stream ends or breaks', async () => {
    const server = await scriptedServer(
      streamOf(`:\n\n${message(1)}${message(2)}:\n\n${message(3).slice(0, 20)}`),
      { kind: 'reset', when: 'before-headers' },
      refusal(503, 'unavailable'),
      streamOf(message(3)),
    );
    expect(await take(clientOf(server.url).client, 3, 0, stream)).toEqual([1, 2, 3]);
    const [first, , , last] = server.requests;
    expect(first?.headers['accept']).toBe('text/event-stream');
    expect(new URL(last?.path ?? '', server.url).searchParams.get('since')).toBe('2');
  });

  it('are polled where the service has no streams, or has enough of them for this connection', async () => {
    const server = await scriptedServer(page(0, [1]), refusal(409, 'limit_reached'), page(1, [2]));
    expect(await take(clientOf(server.url).client, 2, 0, stream)).toEqual([1, 2]);
    expect(server.requests[2]?.headers['accept']).toBe('application/json');
  });

  it('end with an error when a number is missing, and when the token is refused', async () => {
    const gap = await scriptedServer(streamOf(message(1) + message(3)));
    const error = await caught(take(clientOf(gap.url).client, 2, 0, stream));
    if (!isPayAssentError(error) || error.code !== 'event_gap') throw error;
    expect([error.expected, error.received]).toEqual([2, 3]);
    const refused = await scriptedServer(streamOf(message(1)), refusal(401, 'token_revoked'));
    const end = await caught(take(clientOf(refused.url).client, 2, 0, stream));
    expect(isPayAssentError(end) && end.code).toBe('token_revoked');
  });

  it('do not spin when streams end immediately', async () => {
    const server = await scriptedServer(streamOf(''), streamOf(':\n\n'), streamOf(message(1)));
    const { client, clock } = clientOf(server.url);
    await take(client, 1, 0, stream);
    expect(clock.waits.filter((ms) => ms > 500 && ms <= 1000)).toHaveLength(2);
  });
});
