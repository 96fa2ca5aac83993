import { formatWebhookSecret, signWebhook } from '@payassent/protocol';
import { signTestWebhook, verifyWebhook } from '@payassent/sdk';
import { describe, expect, it } from 'vitest';

describe('a message that is signed but no event', () => {
  const secret = formatWebhookSecret(new Uint8Array(32).fill(5));
  const signed = (id: string, body: string) => {
    const headers = signWebhook({ id, timestampSeconds: 1000, body, secrets: [secret] });
    return { body, headers: { ...headers }, secret: [secret], now: 1_000_000 };
  };

  it.each(['', 'null', '[]', '{"id":"evt_1"}', '{"id":"evt_1","id":"evt_1"}'])('%j is refused', (body) => {
    expect(() => verifyWebhook(signed('evt_1', body))).toThrow('body malformed');
  });

  it('may carry numbers of the agent that no double holds', () => {
    const body =
      '{"id":"evt_1","type":"payment_request.created","timestamp":"now","data":{"n":[1e400,1.10]}}';
    expect(verifyWebhook(signed('evt_1', body)).data).toEqual({ n: [Infinity, 1.1] });
  });

  it('is refused when its id is not the signed one', () => {
    const event = { id: 'evt_1', type: 'connection.created', timestamp: 'now', data: {} };
    expect(verifyWebhook(signed('evt_1', JSON.stringify(event))).id).toBe('evt_1');
    expect(() => verifyWebhook(signed('evt_2', JSON.stringify(event)))).toThrow('id mismatch');
  });
});

describe('a message for the tests of a receiver', () => {
  const secret = formatWebhookSecret(new Uint8Array(32).fill(6));
  const message = {
    type: 'connection.created' as const,
    data: { connection: { connection_id: 'con_1' } as never },
  };

  it('is signed as the service signs: a receiver takes it', () => {
    const { body, headers } = signTestWebhook({ ...message, secret, sequence: 3 });
    expect(verifyWebhook({ body, headers, secret })).toMatchObject({
      sequence: 3,
      ...message,
    });
  });

  it('may be repeated, old, or signed with two secrets, and is refused like a real one', () => {
    const other = formatWebhookSecret(new Uint8Array(32).fill(7));
    const again = { ...message, id: 'evt_1', now: 1_000_000, secret: [other, secret] };
    expect(signTestWebhook(again)).toEqual(signTestWebhook(again));
    const { body, headers } = signTestWebhook(again);
    expect(verifyWebhook({ body, headers, secret, now: 1_000_000 }).id).toBe('evt_1');
    expect(() => verifyWebhook({ body, headers, secret })).toThrow('timestamp too old');
    expect(() => verifyWebhook({ body: `${body} `, headers, secret, now: 1_000_000 })).toThrow(
      'signature mismatch',
    );
  });
});
