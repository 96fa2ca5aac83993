import { formatToken } from '@payassent/protocol';
import {
  AgentClient,
  AgentPaymentsClient,
  ConnectionClient,
  generateAgentKey,
  isApiError,
  MerchantClient,
  memoryStore,
  WalletClient,
} from '@payassent/sdk';
import { describe, expect, it } from 'vitest';
import {
  caught,
  json,
  NO_CONNECTIONS,
  refusal,
  sampleToken,
  scriptedServer,
  setUp,
} from './harness/scripted.ts';

const deviceToken = sampleToken('device');

describe('credentials', () => {
  const attacks = [
    'Authorization',
    'COOKIE',
    'x-SVC-api-key',
    'X-CSRF-Token',
    'idempotency-KEY',
    ' authorization ',
  ];

  it.each(attacks)('the custom header "%s" is refused before anything is sent', async (name) => {
    const server = await scriptedServer(NO_CONNECTIONS);
    const headers = { [name]: 'Bearer svc_dt_evil' };
    expect(() => new WalletClient({ baseUrl: server.url, deviceToken, headers })).toThrow(TypeError);
    const { wallet } = setUp(server.url);
    expect(await caught(wallet.connections.list({}, { headers }))).toBeInstanceOf(TypeError);
    const key = { baseUrl: server.url, apiKey: sampleToken('api_key'), headers };
    expect(() => new AgentPaymentsClient(key)).toThrow(TypeError);
    expect(server.requests).toHaveLength(0);
  });

  it('a header with a line break or no name is refused, others are sent next to the credential', async () => {
    const server = await scriptedServer(NO_CONNECTIONS);
    for (const headers of [
      { 'x-a': 'b\r\nauthorization: evil' },
      { 'x-a\r\nauthorization': 'b' },
      { '': 'b' },
    ])
      expect(() => new WalletClient({ baseUrl: server.url, deviceToken, headers })).toThrow(TypeError);
    const { wallet } = setUp(server.url, { headers: { 'X-Request-Id': 'trace-7' } });
    await wallet.connections.list({}, { headers: { 'X-Team': 'wallets' } });
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${deviceToken}`,
      'x-request-id': 'trace-7',
      'x-team': 'wallets',
    });
  });

  it('a device token is a bearer and never is in an address or a body', async () => {
    const server = await scriptedServer(NO_CONNECTIONS);
    const { wallet } = setUp(server.url);
    await wallet.connections.list();
    await caught(wallet.paymentRequests.reportStatus('pr_1', { status: 'signed' }));
    for (const request of server.requests) {
      expect(request.headers['authorization']).toBe(`Bearer ${deviceToken}`);
      expect(request.path + request.text).not.toContain('svc_dt_');
    }
  });

  it('of a browser are used for a team member alone: no other client sends the cookie of a signed-in page', async () => {
    const modes: unknown[] = [];
    const recording = (_: string, init: RequestInit) => {
      modes.push(init.credentials);
      return Promise.reject(new TypeError('not sent'));
    };
    const { options } = setUp('http://127.0.0.1:1', { fetch: recording, maxRetries: 0 });
    await caught(new MerchantClient(options).organization.get());
    await caught(new WalletClient({ ...options, deviceToken }).connections.list());
    await caught(new AgentPaymentsClient({ ...options, apiKey: sampleToken('api_key') }).payments.list());
    expect(modes).toEqual(['same-origin', 'omit', 'omit']);
  });

  it('show in no client, error or notice that is printed', async () => {
    const { inspect } = await import('node:util');
    const server = await scriptedServer(refusal(503, 'unavailable'));
    const { options, retries, wallet } = setUp(server.url, { maxRetries: 1 });
    const key = generateAgentKey();
    const error = await caught(wallet.pairing.find('BCDF-GHJK'));
    const broken = await caught(
      new WalletClient({ ...options, baseUrl: 'http://127.0.0.1:1', deviceToken }).pairing.find('BCDF-GHJK'),
    );
    const clients = [
      wallet,
      new AgentPaymentsClient({ ...options, apiKey: sampleToken('api_key') }),
      new ConnectionClient({ ...options, connectionToken: sampleToken('connection') }),
      new MerchantClient({ ...options, sessionCookie: `svc_session=${sampleToken('merchant_session')}` }),
      new AgentClient({ ...options, agentId: 'agt_1', kid: 'k', key, store: memoryStore() }),
    ];
    for (const printed of [key, error, broken, ...retries, ...clients]) {
      const text = inspect(printed, { depth: 10, showHidden: false }) + JSON.stringify(printed);
      for (const secret of ['svc_dt_', 'svc_ct_', 'svc_key_', 'svc_ms_', 'BCDF', key.seed])
        expect(text).not.toContain(secret);
    }
  });

  it('an agent tries again after a 401 with a fresh token, and not a second time', async () => {
    let issued = 0;
    const server = await scriptedServer();
    server.script((request) => {
      if (request.path !== '/v1/agent-auth/token') return refusal(401, 'token_expired');
      issued += 1;
      const agent_token = formatToken('agent', new Uint8Array(32).fill(issued));
      return json(200, { ok: true, agent_token, token_type: 'Bearer', expires_in: 600, scopes: [] });
    });
    const { options } = setUp(server.url);
    const agent = new AgentClient({
      ...options,
      agentId: 'agt_1',
      kid: 'k',
      key: generateAgentKey(),
      store: memoryStore(),
    });
    const error = await caught(agent.connections.list());
    expect(isApiError(error, 'token_expired') && error.attempts).toBe(2);
    const sent = server.requests.filter(({ path }) => path === '/v1/connections');
    expect(new Set(sent.map(({ headers }) => headers['authorization'])).size).toBe(2);
    expect(issued).toBe(2);
  });

  it.each([
    [401, 'token_revoked'],
    [403, 'agent_not_active'],
  ])('an agent does not try again after %i %s', async (status, code) => {
    const server = await scriptedServer();
    const agent_token = sampleToken('agent');
    server.script((request) =>
      request.path === '/v1/agent-auth/token'
        ? json(200, { ok: true, agent_token, token_type: 'Bearer', expires_in: 600, scopes: [] })
        : refusal(status, code),
    );
    const { options } = setUp(server.url);
    const agent = new AgentClient({
      ...options,
      agentId: 'agt_1',
      kid: 'k',
      key: generateAgentKey(),
      store: memoryStore(),
    });
    expect(await caught(agent.connections.list())).toMatchObject({ code });
    expect(server.requests).toHaveLength(2);
  });
});

describe('what cannot be right is refused before it is sent', () => {
  it.each([
    'not an address',
    'ftp://pay.example',
    'http://pay.example',
    'https://user:secret@pay.example',
    'https://pay.example/?a=b',
  ])('the base URL %s', (baseUrl) => {
    expect(() => new WalletClient({ baseUrl, deviceToken })).toThrow(TypeError);
  });

  it('http to another machine is allowed only under the option for that', () => {
    const options = { baseUrl: 'http://pay.internal:8787/', deviceToken };
    expect(() => new WalletClient({ ...options, allowInsecureHttp: true })).not.toThrow();
  });

  it.each(['', '.', '..'])('the identifier "%s", which would name another route', async (id) => {
    const server = await scriptedServer(NO_CONNECTIONS);
    expect(await caught(setUp(server.url).wallet.paymentRequests.get(id))).toBeInstanceOf(TypeError);
    expect(server.requests).toHaveLength(0);
  });

  it('an identifier is one segment of the path, whatever it contains', async () => {
    const server = await scriptedServer(refusal(404, 'resource_not_found'));
    await caught(setUp(server.url).wallet.paymentRequests.get('../a/b?c#d%2f'));
    expect(server.requests[0]?.path).toBe('/v1/payment-requests/..%2Fa%2Fb%3Fc%23d%252f');
  });

  it('a token that cannot be one, without repeating it', () => {
    const wrong = () => new WalletClient({ baseUrl: 'http://127.0.0.1:1', deviceToken: 'svc_dt_ü\n' });
    expect(wrong).toThrow(
      new TypeError('deviceToken is missing or malformed: pass the token that begins with svc_dt_'),
    );
  });

  it('keys that are empty or too long', async () => {
    const client = new ConnectionClient({
      baseUrl: 'http://127.0.0.1:1',
      connectionToken: sampleToken('connection'),
    });
    const input = { recipient_id: 'r', payment: { amount: '1' } };
    for (const idempotencyKey of ['', 'x'.repeat(257)])
      await expect(client.paymentRequests.create(input, { idempotencyKey })).rejects.toThrow(RangeError);
  });
});

describe('a session', () => {
  const sessionCookie = `svc_session=${sampleToken('merchant_session')}`;
  const lost = { kind: 'reset', when: 'before-headers' } as const;

  it('whose response to sign-out is lost is signed out', async () => {
    for (const name of ['signOut', 'signOutEverywhere'] as const) {
      const server = await scriptedServer(lost, refusal(401, 'token_revoked'));
      const merchant = new MerchantClient({ ...setUp(server.url).options, sessionCookie });
      await merchant.sessions[name]();
      expect(merchant.sessions.cookie()).toBeUndefined();
    }
    const server = await scriptedServer(lost, refusal(401, 'token_revoked'));
    const person = new AgentPaymentsClient({
      ...setUp(server.url).options,
      sessionToken: sampleToken('admin_session'),
    });
    await person.endSession();
    expect(server.requests).toHaveLength(2);
  });

  it('that cannot be ended is kept, and one that had ended before does not count as ended everywhere', async () => {
    const away = await scriptedServer(lost);
    const merchant = new MerchantClient({ ...setUp(away.url).options, sessionCookie });
    expect(await caught(merchant.sessions.signOut())).toMatchObject({ code: 'network_error' });
    expect(merchant.sessions.cookie()).toBe(sessionCookie);
    const server = await scriptedServer(refusal(401, 'token_revoked'));
    const late = new MerchantClient({ ...setUp(server.url).options, sessionCookie });
    expect(await caught(late.sessions.signOutEverywhere())).toMatchObject({ code: 'token_revoked' });
  });
});
