import {
  AgentClient,
  AgentPaymentsClient,
  agentKeyFromCryptoKeys,
  agentKeyFromPem,
  agentKeyFromSeed,
  ConnectionClient,
  generateAgentKey,
  hasPinnedFacts,
  MerchantClient,
  memoryStore,
  outcome,
  verifyWebhook,
  WalletClient,
} from '@payassent/sdk';
import { describe, expect, it } from 'vitest';
import { json, sampleToken, scriptedServer, setUp } from './harness/scripted.ts';

// As plain JavaScript calls it: what the types forbid is what is tried here.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Loose = any;

/** The error's sentence. It must name the mistake and the remedy, in the SDK's words and not in the runtime's. */
async function sentenceOf(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    return (error as Error).message;
  }
  return 'nothing was thrown';
}
const OF_THE_RUNTIME =
  /cannot read|is not a function|is not iterable|cannot destructure|cannot use|not a constructor|serialize|expected Uint8Array/i;

const baseUrl = 'http://127.0.0.1:9';
const key = generateAgentKey();
const agent: Loose = { baseUrl, agentId: 'agt_1', kid: 'k', key, store: memoryStore() };
const input: Loose = { recipient_id: 'rcp_1', payment: { amount: '1' } };
const webhook: Loose = { body: '{}', headers: {}, secret: 'whsec_x' };
const L = (value: unknown): Loose => value;

describe('a wrong input is rejected with a sentence that names what to do', () => {
  const client = () => new ConnectionClient({ baseUrl, connectionToken: sampleToken('connection') });
  const create = (body: Loose, options?: Loose) => client().paymentRequests.create(body, options);

  it.each<[string, () => unknown, string]>([
    ['no options', () => new AgentClient(L(undefined)), 'options as an object'],
    ['no options of a connection', () => new ConnectionClient(L(undefined)), 'options as an object'],
    ['no options of a wallet', () => new WalletClient(L(null)), 'options as an object'],
    ['no options of a merchant', () => new MerchantClient(L('https://pay.example')), 'options as an object'],
    ['no options of agent payments', () => new AgentPaymentsClient(L(undefined)), 'options as an object'],
    [
      'no address',
      () => new AgentClient({ ...agent, baseUrl: undefined }),
      'baseUrl must be an absolute address',
    ],
    [
      'an address with /v1',
      () => new AgentClient({ ...agent, baseUrl: `${baseUrl}/v1` }),
      'must not end with /v1',
    ],
    [
      'an address with /v1/',
      () => new AgentClient({ ...agent, baseUrl: `${baseUrl}/v1/` }),
      'must not end with /v1',
    ],
    ['no key', () => new AgentClient({ ...agent, key: undefined }), 'key must be a key that signs'],
    ['a key as text', () => new AgentClient({ ...agent, key: key.seed }), 'agentKeyFromSeed(seed)'],
    ['another identifier', () => new AgentClient({ ...agent, agentId: 'con_1' }), 'begins with agt_'],
    ['no kid', () => new AgentClient({ ...agent, kid: '' }), 'kid is needed'],
    [
      'no store',
      () => new AgentClient({ ...agent, store: undefined }),
      'store is needed: use fileStore(path)',
    ],
    [
      'a path as a store',
      () => new AgentClient({ ...agent, store: 'x.json' }),
      'store must have get, set and delete',
    ],
    ['no function as fetch', () => new AgentClient({ ...agent, fetch: {} }), 'fetch must be a function'],
    ['no grant', () => new AgentClient(agent).connection(L(undefined)), 'Name the connection as an object'],
    [
      'a grant as text',
      () => new AgentClient(agent).connection(L('con_1')),
      'Name the connection as an object',
    ],
    ['a request as a connection', () => new AgentClient(agent).connection({ connectionId: 'pr_1' }), 'con_'],
    ['no token', () => new ConnectionClient({ baseUrl }), 'Give a connectionToken, or a store'],
    ['an agent token', () => new WalletClient({ baseUrl, deviceToken: sampleToken('agent') }), 'svc_dt_'],
    ['neither key nor session', () => new AgentPaymentsClient(L({ baseUrl })), 'Give either an apiKey'],
    [
      'no claim',
      () => new AgentClient(agent).invitations.wait(L(undefined)),
      'what invitations.claim has returned',
    ],
    ['no pairing', () => new AgentClient(agent).pairing.wait(L(undefined)), 'Pass pairing_session'],
    ['nothing to ask for', () => create(undefined), 'Pass what to request'],
    [
      'no agent payment',
      () => new AgentPaymentsClient({ baseUrl, apiKey: sampleToken('api_key') }).payments.create(L(null)),
      'Name what to pay',
    ],
    ['a big integer', () => create({ ...input, payment: { amount: 5n } }), 'use strings for amounts'],
    ['a key that is a number', () => create(input, { idempotencyKey: 5 }), 'string of 1 to 256 characters'],
    [
      'a key under the name of the wire',
      () => create(input, { idempotency_key: 'k' }),
      'use idempotencyKey, intent',
    ],
    ['a key instead of options', () => create(input, 'order-1'), "for example { intent: 'order-1' }"],
    ['an intent without a store', () => create(input, { intent: 'order-1' }), 'intent needs a store'],
    ['no identifier', () => client().paymentRequests.get(L(undefined)), 'pass the one of the record'],
    [
      'options that are none',
      () => client().paymentRequests.get('pr_1', L('x')),
      'options of a call are an object',
    ],
    [
      'no identifier to wait for',
      () => client().paymentRequests.waitForStatus(L(undefined)),
      'pass the one of the record',
    ],
    [
      'a status that is none',
      () => client().paymentRequests.waitForStatus('pr_1', { statuses: L(['paid']) }),
      'statuses is a list out of pending',
    ],
    [
      'a context that is none',
      () => client().contexts.create(L('Two tickets')),
      'input of this call is an object',
    ],
    ['no seed', () => agentKeyFromSeed(L(undefined)), 'exactly 32 bytes'],
    ['no PEM', () => agentKeyFromPem(L(undefined)), 'not an Ed25519 private key'],
    ['no key pair', () => agentKeyFromCryptoKeys(L(undefined)), 'Pass a key pair'],
    ['an answer instead of a request', () => outcome(L({ payment_request: {} })), 'response.payment_request'],
    ['no request', () => outcome(L(undefined)), 'response.payment_request'],
    ['no facts', () => hasPinnedFacts(L(undefined)), 'response.payment_request'],
    ['no webhook', () => verifyWebhook(L(undefined)), 'verifyWebhook takes an object'],
    ['a parsed body', () => verifyWebhook({ ...webhook, body: { id: 'evt_1' } }), 'needs the raw body'],
    ['no body', () => verifyWebhook({ ...webhook, body: undefined }), 'needs the raw body'],
    ['no headers', () => verifyWebhook({ ...webhook, headers: undefined }), 'Pass the headers'],
    ['no secret', () => verifyWebhook({ ...webhook, secret: undefined }), 'Pass the secret of the endpoint'],
    ['a list without a secret', () => verifyWebhook({ ...webhook, secret: [undefined] }), 'Pass the secret'],
  ])('%s', async (_, work, words) => {
    const sentence = await sentenceOf(work);
    expect(sentence).toContain(words);
    expect(sentence).not.toMatch(OF_THE_RUNTIME);
  });

  it('and nothing of it is sent', async () => {
    const server = await scriptedServer(json(201, { ok: true, payment_request: { request_id: 'pr_1' } }));
    const { options } = setUp(server.url);
    const wrong: Loose = new ConnectionClient({ ...options, connectionToken: sampleToken('connection') });
    for (const args of [
      [undefined],
      [input, { idempotency_key: 'k' }],
      [input, 'order-1'],
      [{ ...input, n: 5n }],
    ])
      await sentenceOf(() => wrong.paymentRequests.create(...args));
    expect(server.requests).toHaveLength(0);
    await wrong.paymentRequests.create(input, { idempotencyKey: 'k' });
    expect(server.requests).toHaveLength(1);
  });
});
