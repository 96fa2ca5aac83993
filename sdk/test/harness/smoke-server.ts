import {
  type Behaviour,
  type ReceivedRequest,
  startHttpReceiver,
  type TestReceiver,
} from '@payassent/proof/surroundings/http-receiver';
import {
  decodeBase64Url,
  formatWebhookSecret,
  parseAssertion,
  signWebhook,
  verifyAssertionSignature,
} from '@payassent/protocol';
import { agentKeyFromSeed, generateAgentKey } from '@payassent/sdk';
import type { SmokeInput } from '../smoke/smoke.ts';
import { json, refusal, sampleToken } from './scripted.ts';

/** What every runtime must print. */
export const SMOKE_LINES = [
  'connections 0',
  'created pr_smoke true',
  'event 1',
  'event 2',
  'refused token_revoked',
  'slow timeout',
  'aborted stop',
  'merchant Shop',
  'webhook connection.created',
];

/** A loopback server that responds like the service, and checks what only the client can get wrong. */
export async function startSmokeServer(): Promise<{ server: TestReceiver; input: SmokeInput }> {
  const { seed } = generateAgentKey();
  const publicKey = decodeBase64Url(agentKeyFromSeed(seed).publicKey) ?? new Uint8Array();
  const server = await startHttpReceiver();
  server.script((request) => answer(request, publicKey));
  const secret = formatWebhookSecret(new Uint8Array(32).fill(1));
  const event = { id: 'evt_1', type: 'connection.created', timestamp: '2026-01-01T00:00:00.000Z', data: {} };
  const body = JSON.stringify(event);
  const headers = signWebhook({ id: 'evt_1', timestampSeconds: 1000, body, secrets: [secret] });
  const webhook = { body, headers: { ...headers }, secret, now: 1_000_000 };
  const deviceToken = sampleToken('device');
  const connectionToken = sampleToken('connection');
  return { server, input: { baseUrl: server.url, seed, deviceToken, connectionToken, webhook } };
}

const MERCHANT = { merchant_id: 'mer_1', name: 'Shop', version: 2 };

function answer(request: ReceivedRequest, publicKey: Uint8Array): Behaviour {
  const bearer = request.headers['authorization'];
  switch (`${request.method} ${request.path.split('?')[0]}`) {
    case 'POST /v1/agent-auth/token': {
      const parsed = parseAssertion(JSON.parse(request.text).assertion);
      const isSigned = parsed.ok && verifyAssertionSignature(parsed.assertion, publicKey);
      if (!isSigned) return refusal(401, 'invalid_assertion');
      const agent_token = sampleToken('agent');
      return json(200, { ok: true, agent_token, token_type: 'Bearer', expires_in: 600, scopes: [] });
    }
    case 'GET /v1/connections':
      if (bearer === `Bearer ${sampleToken('device')}`) return refusal(401, 'token_revoked');
      return bearer === `Bearer ${sampleToken('agent')}`
        ? json(200, { ok: true, connections: [], next_cursor: null })
        : refusal(401, 'unauthenticated');
    case 'POST /v1/payment-requests':
      return request.headers['x-idempotency-key']
        ? json(201, { ok: true, payment_request: { request_id: 'pr_smoke' } })
        : refusal(400, 'idempotency_key_required');
    case 'GET /v1/payment-requests/events':
      return json(200, {
        ok: true,
        events: [{ sequence: 1 }, { sequence: 2 }],
        next_cursor: 2,
        has_more: false,
      });
    case 'POST /v1/merchant-sessions': {
      const cookie = `svc_session=${sampleToken('merchant_session')}; Path=/; HttpOnly; SameSite=Strict`;
      const session = { merchant: MERCHANT, operator: {}, session: { expires_at: 'later' } };
      const body = { ok: true, ...session, csrf_token: 'proof' };
      return json(201, body, { 'set-cookie': cookie });
    }
    case 'PATCH /v1/merchants/current': {
      const { cookie, 'x-csrf-token': csrf } = request.headers;
      const isSession = cookie === `svc_session=${sampleToken('merchant_session')}` && csrf === 'proof';
      return isSession ? json(200, { ok: true, merchant: MERCHANT }) : refusal(403, 'csrf_invalid');
    }
    default:
      return { kind: 'never' };
  }
}
