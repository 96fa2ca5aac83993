import { describe, expect, it } from 'vitest';
import { createLinks } from './links.ts';
import { paymentRequestView, statusMembers, withoutKey, withReviewLinks } from './view.ts';

const links = createLinks('https://pay.example');
const payment = { network: 'dogecoin_mainnet', asset: 'DOGE', amount: '1', to: 'D1' };

const KEYS = [
  'plain',
  '',
  ',"status":"pending',
  '","status":"x","idempotency_key":"',
  '\\',
  '\\"',
  ',"idempotency_key":"again"',
  'äöü 🎉',
];

/** In the order in which `RECORD_JSON` writes them. */
function recordWith(key: string | undefined, nested: unknown): Record<string, unknown> {
  return {
    request_id: ',"idempotency_key":"not me","status":"',
    expires_at: '2027-01-01T00:00:00.000Z',
    created_with: 'own_token',
    ...(key === undefined ? {} : { idempotency_key: key }),
    status: 'pending',
    payee: { verified: true },
    payment,
    metadata: nested,
  };
}

describe('the record for a wallet', () => {
  it.each(KEYS)('has no idempotency key, and everything else untouched: %j', (key) => {
    for (const nested of [{}, { idempotency_key: 'stays', status: 'stays' }]) {
      const expected = recordWith(undefined, nested);
      const record = JSON.stringify(recordWith(key, nested));
      expect(withoutKey(record)).toBe(JSON.stringify(expected));
      expect(paymentRequestView(record, 'wallet')).toEqual(expected);
      expect(JSON.parse(`{${statusMembers(record, '{"event_id":"e"}', links)}}`)).toEqual({
        payment_request: { ...expected, payment_uri: 'dogecoin:D1?amount=1' },
        event: { event_id: 'e' },
      });
    }
  });

  it('is left as it is when there is no key', () => {
    const record = JSON.stringify(recordWith(undefined, { idempotency_key: 'stays' }));
    expect(withoutKey(record)).toBe(record);
    expect(JSON.parse(`{${statusMembers(record, null, links)}}`).event).toBeNull();
  });

  it.each([null, 'shared_token'])(
    'has what it was created with, and the record for its agent has not: %j',
    (origin) => {
      const nested = { created_with: 'stays', text: ',"created_with":"x",' };
      const { created_with: _, ...rest } = recordWith(',"created_with":"key",', nested);
      const stored = { ...recordWith(',"created_with":"key",', nested), created_with: origin };
      expect(paymentRequestView(JSON.stringify(stored), 'connection')).toEqual(rest);
      expect(paymentRequestView(JSON.stringify(rest), 'connection')).toEqual(rest);
      for (const audience of ['merchant', 'wallet'] as const)
        expect(paymentRequestView(JSON.stringify(stored), audience).created_with).toBe(origin);
      const shown = JSON.stringify({ protocol: 'p', request_id: '', connection_id: 'con_1', ...stored });
      expect(withReviewLinks(shown, links)).not.toContain(`,"created_with":${JSON.stringify(origin)}`);
    },
  );

  it('keeps the key for the agent and its merchant', () => {
    const record = JSON.stringify(recordWith('k', {}));
    for (const audience of ['connection', 'merchant'] as const)
      expect(paymentRequestView(record, audience).idempotency_key).toBe('k');
  });
});
