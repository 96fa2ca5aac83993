import { ConnectionClient, type IdempotencyStore } from '@payassent/sdk';
import { describe, expect, it } from 'vitest';
import { json, sampleToken, scriptedServer, setUp } from './harness/scripted.ts';

const CREATED = json(201, { ok: true, payment_request: { request_id: 'pr_1' } });
const input = { recipient_id: 'rcp_1', payment: { amount: '1' } };

async function withStore(idempotencyStore: IdempotencyStore) {
  const server = await scriptedServer(CREATED);
  const { options } = setUp(server.url);
  const client = new ConnectionClient({
    ...options,
    connectionToken: sampleToken('connection'),
    idempotencyStore,
  });
  const keys = () => server.requests.map(({ headers }) => headers['x-idempotency-key']);
  return { client, server, keys };
}

/** As Redis or localStorage: absent is null. */
function remote(kept = new Map<string, string>()): IdempotencyStore {
  const later = () => new Promise((resolve) => setTimeout(resolve, 5));
  return {
    get: async (intent) => later().then(() => kept.get(intent) ?? null),
    set: async (intent, key) => later().then(() => kept.set(intent, key)),
    delete: async (intent) => later().then(() => kept.delete(intent)),
  };
}

describe('the key of an intended payment', () => {
  it.each([
    ['a Map', new Map<string, string>()],
    ['a remote store', remote()],
  ])('is one for creates of one name that begin together (%s)', async (_, store) => {
    const { client, keys } = await withStore(store);
    const create = () => client.paymentRequests.create(input, { intent: 'order-1' });
    await Promise.all([create(), create(), create()]);
    await create();
    expect(keys()).toHaveLength(4);
    expect(new Set(keys()).size).toBe(1);
    await client.paymentRequests.create(input, { intent: 'order-2' });
    expect(new Set(keys()).size).toBe(2);
  });

  it('is the one that stands, when another process was first', async () => {
    const kept = new Map<string, string>();
    const { client, keys } = await withStore({
      get: (intent) => kept.get(intent) ?? null,
      // The other process comes between the look and the write; a store that inserts only if absent keeps its key.
      set: (intent) => void kept.set(intent, 'key-of-the-other'),
      delete: (intent) => kept.delete(intent),
    });
    const created = await client.paymentRequests.create(input, { intent: 'order-1' });
    expect([created.idempotency_key, keys()]).toEqual(['key-of-the-other', ['key-of-the-other']]);
  });

  it('is forgotten after the answer, but not the key of a later equal payment', async () => {
    const kept = new Map<string, string>();
    const { client, server, keys } = await withStore(kept);
    await client.paymentRequests.create(input);
    expect(kept.size).toBe(0);
    server.script(() => {
      for (const name of kept.keys()) kept.set(name, 'key-of-a-later-one');
      return CREATED;
    });
    await client.paymentRequests.create(input);
    expect([...kept.values()]).toEqual(['key-of-a-later-one']);
    expect(new Set(keys()).size).toBe(2);
  });

  it('does not depend on members that are undefined, and none are needed for it', async () => {
    const kept = new Map<string, string>();
    const { client, server } = await withStore(kept);
    const names: string[] = [];
    server.script(() => {
      names.push(...kept.keys());
      return CREATED;
    });
    // As plain JavaScript writes it, against the exact types.
    const loose = { ...input, expires_at: undefined, policy: undefined } as unknown as typeof input;
    await client.paymentRequests.create(loose);
    await client.paymentRequests.create(input);
    expect(new Set(names).size).toBe(1);
    expect(JSON.parse(server.requests[0]?.text ?? '')).toEqual({
      ...input,
      policy: { requires_user_approval: true },
    });
  });
});
