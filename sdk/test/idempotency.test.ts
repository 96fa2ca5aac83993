import type { Behaviour } from '@payassent/proof/surroundings/http-receiver';
import { AgentPaymentsClient, ConnectionClient, generateAgentKey, type Store } from '@payassent/sdk';
import { describe, expect, it } from 'vitest';
import { caught, json, refusal, SHORT_MS, sampleToken, scriptedServer, setUp } from './harness/scripted.ts';

const CREATED = json(201, { ok: true, payment_request: { request_id: 'pr_1' } });
const input = { recipient_id: 'rcp_1', payment: { amount: '1' } };

async function withStore(store: Store) {
  const server = await scriptedServer(CREATED);
  const { options } = setUp(server.url);
  const client = new ConnectionClient({
    ...options,
    connectionToken: sampleToken('connection'),
    store,
  });
  const keys = () => server.requests.map(({ headers }) => headers['x-idempotency-key']);
  return { client, server, keys };
}

/** As Redis or localStorage: absent is null. */
function remote(kept = new Map<string, string>()): Store {
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

  it('is the stored one, when another process was first', async () => {
    const kept = new Map<string, string>();
    const { client, keys } = await withStore({
      get: (intent) => kept.get(intent) ?? null,
      // The other process writes between the read and the write; a store that inserts only if absent keeps its key.
      set: (intent) => void kept.set(intent, 'key-of-the-other'),
      delete: (intent) => kept.delete(intent),
    });
    const created = await client.paymentRequests.create(input, { intent: 'order-1' });
    expect([created.idempotency_key, keys()]).toEqual(['key-of-the-other', ['key-of-the-other']]);
  });

  it('is deleted after the response, but not the key of a later equal payment', async () => {
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

describe('an intent that nothing would remember', () => {
  it('is refused before anything is sent, and so is one next to a key', async () => {
    const server = await scriptedServer(CREATED);
    const { options } = setUp(server.url);
    const bare = new ConnectionClient({ ...options, connectionToken: sampleToken('connection') });
    const { client } = await withStore(new Map());
    const paid = new AgentPaymentsClient({ ...options, apiKey: sampleToken('api_key') });
    const intent = 'order-1';
    const agentPayment = {
      connection_id: 'con_1',
      network: 'stellar_testnet',
      asset: 'XLM',
      amount: '1',
    } as const;
    for (const [create, words] of [
      [() => bare.paymentRequests.create(input, { intent }), 'intent needs a store'],
      [() => paid.payments.create(agentPayment, { intent }), 'intent needs a store'],
      [() => client.paymentRequests.create(input, { intent, idempotencyKey: 'k' }), 'not both'],
      [() => client.paymentRequests.create({ ...input, idempotency_key: 'k' }, { intent }), 'not both'],
    ] as const)
      await expect(create()).rejects.toThrow(words);
    expect(server.requests).toHaveLength(0);
  });
});

describe('every error of a create', () => {
  const never: Behaviour = { kind: 'never' };
  const lost: Behaviour = { kind: 'reset', when: 'before-headers' };
  const busy = refusal(429, 'rate_limited');

  it.each<[string, Behaviour[], object]>([
    ['a lost answer', [lost], { code: 'network_error', mayBeStored: true }],
    ['no answer in time', [never], { code: 'timeout', mayBeStored: true }],
    ['an answer of a proxy', [json(502, {})], { code: 'unexpected_answer', mayBeStored: true }],
    ['a fault of the service', [refusal(500, 'internal_error')], { mayBeStored: true }],
    ['a refusal', [refusal(422, 'risk_rejected')], { code: 'risk_rejected', mayBeStored: false }],
    ['a limit', [busy], { code: 'rate_limited', mayBeStored: false }],
    ['a refusal after a lost answer', [lost, refusal(403, 'connection_paused')], { mayBeStored: true }],
    ['a refusal after a limit', [busy, refusal(403, 'connection_paused')], { mayBeStored: false }],
  ])('carries its key and whether it may be stored: %s', async (_, script, expected) => {
    const server = await scriptedServer(...script);
    const randomBytes = (length: number) => new Uint8Array(length).fill(7);
    const patience = script.includes(never) ? { timeoutMs: SHORT_MS } : {};
    const { options } = setUp(server.url, { maxRetries: 1, randomBytes, ...patience });
    const client = new ConnectionClient({ ...options, connectionToken: sampleToken('connection') });
    const error = await caught(client.paymentRequests.create(input));
    expect(error).toMatchObject({ ...expected, idempotencyKey: 'BwcH'.repeat(8) });
  });

  it('carries them too when a signal, the store or the signing key ended it', async () => {
    const server = await scriptedServer(never);
    const { options } = setUp(server.url);
    const connectionToken = sampleToken('connection');
    const reason = new Error('the tool call is over');
    const controller = new AbortController();
    const client = new ConnectionClient({ ...options, connectionToken });
    const aborted = caught(client.paymentRequests.create(input, { signal: controller.signal }));
    await server.waitForRequests(1);
    controller.abort(reason);
    expect(await aborted).toMatchObject({
      code: 'create_interrupted',
      cause: reason,
      mayBeStored: true,
      idempotencyKey: server.requests[0]?.headers['x-idempotency-key'],
    });

    const broken = new Error('no hardware key');
    const proofKey = { publicKey: generateAgentKey().publicKey, sign: () => Promise.reject(broken) };
    const unsigned = new ConnectionClient({ ...options, connectionToken, proofKey });
    const keyed = unsigned.paymentRequests.create(input, { idempotencyKey: 'k' });
    const interrupted = { code: 'create_interrupted', cause: broken, mayBeStored: false };
    expect(await caught(keyed)).toMatchObject({ ...interrupted, idempotencyKey: 'k' });
    const full = { get: () => undefined, set: () => Promise.reject(broken), delete: () => undefined };
    const { client: storing, server: asked } = await withStore(full);
    expect(await caught(storing.paymentRequests.create(input))).toMatchObject(interrupted);
    expect(asked.requests).toHaveLength(0);
  });

  it('reports the record as stored when only the store failed to delete its key', async () => {
    const cause = new Error('disk full');
    const kept = new Map<string, string>();
    const failing = {
      get: (name: string) => kept.get(name),
      set: (name: string, key: string) => kept.set(name, key),
      delete: () => Promise.reject(cause),
    };
    const { client, keys } = await withStore(failing);
    const error = await caught(client.paymentRequests.create(input));
    expect(error).toMatchObject({ cause, mayBeStored: true, idempotencyKey: keys()[0] });
  });
});
