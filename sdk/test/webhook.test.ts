import { formatWebhookSecret, signWebhook } from '@payassent/protocol';
import { verifyWebhook } from '@payassent/sdk';
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
