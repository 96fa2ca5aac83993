import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Receipt } from '../run/receivers.ts';
import { createIssuedSecrets } from '../run/redact.ts';
import { faultsOf } from './index.ts';
import { call, event, madeUp, violationsOf } from './made-up.ts';
import { findSecrets, type Place } from './secrets.ts';

const endpoint = {
  webhook_endpoint_id: 'whe_1',
  merchant_id: 'mer_1',
  url: 'http://127.0.0.1:1/tenant-0/stable',
  version: 1,
  status: 'active',
};
const message = {
  event_id: 'evt_1',
  merchant_id: 'mer_1',
  type: 'payment_request.signed',
  body: '{"data":{}}',
};
const delivery = {
  delivery_id: 'whd_1',
  webhook_endpoint_id: 'whe_1',
  merchant_id: 'mer_1',
  event_id: 'evt_1',
  attempt: 1,
  status: 'delivered',
};
const receipt: Receipt = {
  at: 100,
  endAt: 200,
  place: '/tenant-0/stable',
  eventId: 'evt_1',
  bodyHash: createHash('sha256').update(message.body).digest('hex'),
  isGenuine: true,
  status: 200,
};

describe('every event has its deliveries', () => {
  const look = (messages: (typeof message)[], deliveries: (typeof delivery)[]) =>
    violationsOf(
      'every event has its deliveries',
      madeUp({
        tables: {
          webhook_endpoints: [endpoint],
          payment_request_events: [event()],
          webhook_messages: messages,
          webhook_deliveries: deliveries,
        },
      }),
    ).length;

  it('finds an event without message and a message without delivery', () => {
    expect(look([message], [delivery])).toBe(0);
    expect(look([], [])).toBe(1);
    expect(look([message], [])).toBe(1);
  });
});

describe('attempts are one chain', () => {
  const look = (rows: (typeof delivery)[], attempts: ReturnType<typeof call>[] = []) =>
    violationsOf(
      'delivery attempts form one chain',
      madeUp({ attempts, tables: { webhook_deliveries: rows } }),
    ).length;

  it('finds an attempt that is planned twice and one whose forerunner is missing', () => {
    const second = { ...delivery, delivery_id: 'whd_2', attempt: 2, status: 'pending' };
    expect(look([delivery, second])).toBe(0);
    expect(look([delivery, second, { ...second, delivery_id: 'whd_3' }])).toBe(2);
    expect(look([second])).toBe(1);
    const again = call({ path: '/v1/webhook-deliveries/whd_1/redeliver' });
    expect(look([delivery, { ...delivery, delivery_id: 'whd_4' }], [again])).toBe(0);
  });
});

describe('delivered means received', () => {
  const look = (receipts: Receipt[]) =>
    violationsOf(
      'delivered means received, genuine and unchanged',
      madeUp({
        receipts,
        tables: {
          webhook_endpoints: [endpoint],
          webhook_messages: [message],
          webhook_deliveries: [delivery],
        },
      }),
    ).length;

  it('finds what never came, what was refused, other bytes and a wrong signature', () => {
    expect(look([receipt])).toBe(0);
    expect(look([])).toBe(1);
    expect(look([{ ...receipt, status: 500 }])).toBe(1);
    expect(look([{ ...receipt, bodyHash: 'other' }])).toBe(1);
    expect(look([{ ...receipt, isGenuine: false }])).toBe(1);
  });
});

describe('no delivery twice concurrently', () => {
  const look = (second: Partial<Receipt>, calmAt = 0) =>
    violationsOf(
      'no delivery twice concurrently',
      madeUp({
        faults: [{ at: calmAt, kind: 'calm' }],
        receipts: [
          { ...receipt, at: 10_000, endAt: 10_100 },
          { ...receipt, at: 10_050, endAt: 10_150, ...second },
        ],
        tables: { webhook_endpoints: [endpoint] },
      }),
    ).length;

  it('finds an overlap in a calm time and none one after the other', () => {
    expect(look({})).toBe(1);
    expect(look({ at: 10_100 })).toBe(0);
    expect(look({ eventId: 'evt_2' })).toBe(0);
    expect(() => look({}, 10_000)).toThrow('checked nothing');
  });
});

describe('secrets', () => {
  async function* place(...chunks: string[]): AsyncGenerator<Place> {
    async function* pieces() {
      yield* chunks;
    }
    yield { name: 'place', chunks: pieces() };
  }
  const secret = `svc_dt_${'aB3'.repeat(17).slice(0, 49)}`;
  const issued = createIssuedSecrets();
  issued.tokens.add(secret);

  it('are found whole, across pieces, and by their body alone', async () => {
    expect((await findSecrets(place('nothing here'), issued)).violations).toEqual([]);
    expect((await findSecrets(place(`x${secret}x`), issued)).violations).not.toEqual([]);
    expect((await findSecrets(place(secret.slice(0, 20), secret.slice(20)), issued)).violations).not.toEqual(
      [],
    );
    expect((await findSecrets(place(secret.slice('svc_dt_'.length)), issued)).violations).not.toEqual([]);
  });

  it('a scan without a secret to search for proves nothing', async () => {
    expect((await findSecrets(place('x'), createIssuedSecrets())).checked).toBe(0);
  });
});

describe('a check that checked nothing', () => {
  it('is a failure', () => {
    expect(faultsOf([{ name: 'empty', checked: 0, violations: [] }])).toEqual(['empty: checked nothing']);
  });
});
