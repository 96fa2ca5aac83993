import { ERRORS } from '@payassent/protocol';
import type { CredentialKind } from '@payassent/protocol/api';
import { describe, expect, it } from 'vitest';
import { publishedRoutes } from '../src/http/route.ts';
import { compileValidator } from '../src/http/validate.ts';

/** The published calls: method, path, kinds of credential, success status. Written from the contract, not from the code. */
const KINDS: Record<string, CredentialKind> = {
  M: 'merchant',
  A: 'agent',
  CT: 'claim',
  C: 'connection',
  W: 'wallet',
  K: 'api_key',
  S: 'admin',
};

const CALLS: ReadonlyArray<readonly [method: string, path: string, credentials: string, status: number]> = [
  ['GET', '/v1/errors', '', 200],
  ['GET', '/v1/networks', '', 200],
  ['GET', '/v1/payees', 'C', 200],
  ['POST', '/v1/payment-requests/{}/withdraw', 'C', 200],
  ['GET', '/v1/payment-requests/{}/events', 'C W M', 200],
  ['GET', '/v1/connections/current', 'C', 200],
  ['POST', '/v1/payment-requests/preview', 'C', 200],
  ['DELETE', '/v1/connections/current', 'C', 200],
  ['GET', '/v1/payees/{}', 'C', 200],
  ['POST', '/v1/merchant-accounts/registrations', '', 202],
  ['POST', '/v1/merchant-accounts/email-verifications', '', 200],
  ['POST', '/v1/merchants', '', 201],
  ['POST', '/v1/merchant-sessions', '', 201],
  ['GET', '/v1/merchant-sessions/current', 'M', 200],
  ['DELETE', '/v1/merchant-sessions/current', 'M', 200],
  ['DELETE', '/v1/merchant-sessions', 'M', 200],
  ['GET', '/v1/merchants/current', 'M', 200],
  ['GET', '/v1/merchants/current/figures', 'M', 200],
  ['PATCH', '/v1/merchants/current', 'M', 200],
  ['POST', '/v1/merchant-operators', 'M', 201],
  ['GET', '/v1/merchant-operators', 'M', 200],
  ['PATCH', '/v1/merchant-operators/{}', 'M', 200],
  ['DELETE', '/v1/merchant-operators/{}', 'M', 200],
  ['GET', '/v1/merchant-sessions', 'M', 200],
  ['DELETE', '/v1/merchant-sessions/{}', 'M', 200],
  ['POST', '/v1/merchant-passkeys/registration-options', 'M', 200],
  ['POST', '/v1/merchant-passkeys', 'M', 201],
  ['GET', '/v1/merchant-passkeys', 'M', 200],
  ['DELETE', '/v1/merchant-passkeys/{}', 'M', 200],
  ['POST', '/v1/merchant-passkeys/{}/confirm', 'M', 200],
  ['POST', '/v1/merchant-passkeys/cancel', '', 200],
  ['POST', '/v1/merchant-passkeys/step-up-options', 'M', 200],
  ['POST', '/v1/merchant-passkeys/step-up', 'M', 200],
  ['POST', '/v1/merchant-passkeys/sign-in-options', '', 200],
  ['POST', '/v1/merchant-passkeys/sign-in', '', 200],
  ['GET', '/v1/approvals', 'M', 200],
  ['POST', '/v1/approvals/{}/approve', 'M', 200],
  ['POST', '/v1/approvals/{}/reject', 'M', 200],
  ['POST', '/v1/merchant-domains', 'M', 201],
  ['GET', '/v1/merchant-domains', 'M', 200],
  ['GET', '/v1/merchant-domains/{}', 'M', 200],
  ['DELETE', '/v1/merchant-domains/{}', 'M', 200],
  ['POST', '/v1/merchant-domains/{}/verify', 'M', 200],
  ['POST', '/v1/recipients', 'M', 201],
  ['GET', '/v1/recipients', 'M', 200],
  ['GET', '/v1/recipients/{}', 'M', 200],
  ['PATCH', '/v1/recipients/{}', 'M', 200],
  ['POST', '/v1/recipients/{}/versions', 'M', 201],
  ['POST', '/v1/recipients/{}/verify', 'M', 200],
  ['POST', '/v1/recipients/{}/versions/{}/activate', 'M', 200],
  ['POST', '/v1/recipients/{}/reject-pending', 'M', 200],
  ['POST', '/v1/agents', 'M', 201],
  ['GET', '/v1/agents', 'M', 200],
  ['GET', '/v1/agents/{}', 'M', 200],
  ['PATCH', '/v1/agents/{}', 'M', 200],
  ['POST', '/v1/agents/{}/credentials', 'M', 201],
  ['GET', '/v1/agents/{}/credentials', 'M', 200],
  ['POST', '/v1/agents/{}/credentials/{}/activate', 'M', 200],
  ['DELETE', '/v1/agents/{}/credentials/{}', 'M', 200],
  ['GET', '/v1/audit-events', 'M', 200],
  ['GET', '/v1/wallets/current/audit-events', 'W', 200],
  ['POST', '/v1/agent-auth/token', '', 200],
  ['POST', '/v1/wallet-devices', '', 201],
  ['GET', '/v1/wallet-devices', 'W', 200],
  ['POST', '/v1/wallet-devices/link-codes', 'W', 201],
  ['POST', '/v1/wallet-devices/recovery-code', 'W', 201],
  ['POST', '/v1/wallet-devices/{}/rotate-token', 'W', 200],
  ['PUT', '/v1/wallet-devices/{}/decision-key', 'W', 200],
  ['DELETE', '/v1/wallet-devices/{}/decision-key', 'W', 200],
  ['GET', '/v1/wallets/current/pending-changes', 'W', 200],
  ['DELETE', '/v1/wallets/current/pending-changes/{}', 'W', 200],
  ['GET', '/v1/push-key', '', 200],
  ['PUT', '/v1/wallet-devices/{}/push-subscription', 'W', 200],
  ['DELETE', '/v1/wallet-devices/{}/push-subscription', 'W', 200],
  ['GET', '/v1/payment-requests/{}/evidence', 'C W M', 200],
  ['GET', '/v1/agent-payments/{}/evidence', 'C K S M W', 200],
  ['DELETE', '/v1/wallet-devices/{}', 'W', 200],
  ['POST', '/v1/connect-keys', 'W', 201],
  ['GET', '/v1/connect-keys', 'W', 200],
  ['DELETE', '/v1/connect-keys/{}', 'W', 200],
  ['POST', '/v1/connect-invitations/claim', 'A', 201],
  ['GET', '/v1/connect-invitations', 'W', 200],
  ['GET', '/v1/connect-invitations/{}', 'CT W', 200],
  ['POST', '/v1/connect-invitations/{}/approve', 'W', 200],
  ['POST', '/v1/connect-invitations/{}/reject', 'W', 200],
  ['POST', '/v1/connect-invitations/{}/exchange', 'CT', 200],
  ['POST', '/v1/pairing/sessions', 'A', 201],
  ['GET', '/v1/pairing/sessions', 'W', 200],
  ['GET', '/v1/pairing/sessions/{}', 'A', 200],
  ['POST', '/v1/pairing/sessions/{}/approve', 'W', 200],
  ['POST', '/v1/pairing/sessions/{}/reject', 'W', 200],
  ['GET', '/v1/connections', 'W A M', 200],
  ['GET', '/v1/request-log', 'M A', 200],
  ['PATCH', '/v1/connections/{}', 'W', 200],
  ['DELETE', '/v1/connections/{}', 'W M', 200],
  ['POST', '/v1/connections/{}/rotate-token', 'W', 200],
  ['POST', '/v1/connections/{}/collect-token', 'A', 200],
  ['POST', '/v1/transaction-contexts', 'C', 201],
  ['GET', '/v1/transaction-contexts/{}', 'C W', 200],
  ['POST', '/v1/payment-requests', 'C', 201],
  ['GET', '/v1/payment-requests', 'C W M', 200],
  ['GET', '/v1/payment-requests/{}', 'C W M', 200],
  ['GET', '/v1/payment-requests/events', 'C', 200],
  ['POST', '/v1/payment-requests/{}/status', 'W', 200],
  ['POST', '/v1/webhook-endpoints', 'M', 201],
  ['GET', '/v1/webhook-endpoints', 'M', 200],
  ['GET', '/v1/webhook-endpoints/{}', 'M', 200],
  ['PATCH', '/v1/webhook-endpoints/{}', 'M', 200],
  ['DELETE', '/v1/webhook-endpoints/{}', 'M', 200],
  ['POST', '/v1/webhook-endpoints/{}/verify', 'M', 200],
  ['POST', '/v1/webhook-endpoints/{}/rotate-secret', 'M', 200],
  ['GET', '/v1/webhook-deliveries', 'M', 200],
  ['GET', '/v1/webhook-deliveries/{}', 'M', 200],
  ['POST', '/v1/webhook-deliveries/{}/redeliver', 'M', 202],
  ['POST', '/v1/api-keys', 'M S', 201],
  ['GET', '/v1/api-keys', 'M S', 200],
  ['DELETE', '/v1/api-keys/{}', 'M S', 200],
  ['POST', '/v1/admin-sessions', 'M', 201],
  ['DELETE', '/v1/admin-sessions/current', 'S', 200],
  ['POST', '/v1/agent-payments', 'K S W M', 201],
  ['GET', '/v1/agent-payments', 'C K S W M', 200],
  ['GET', '/v1/agent-payments/events', 'C', 200],
  ['GET', '/v1/agent-payments/{}', 'C K S W M', 200],
  ['GET', '/v1/agent-payments/{}/events', 'C K S W M', 200],
  ['POST', '/v1/agent-payments/{}/cancel', 'K S M', 200],
  ['POST', '/v1/agent-payments/{}/status', 'W', 200],
  ['POST', '/v1/automation-policies', 'K S W M', 201],
  ['GET', '/v1/automation-policies', 'C K S W M', 200],
  ['GET', '/v1/automation-policies/{}', 'C K S W M', 200],
  ['PATCH', '/v1/automation-policies/{}', 'S W M', 200],
  ['POST', '/v1/automation-policies/{}/opt-in', 'W', 200],
  ['POST', '/v1/automation-policies/{}/pause', 'S W M', 200],
  ['POST', '/v1/automation-policies/{}/resume', 'W', 200],
  ['DELETE', '/v1/automation-policies/{}', 'S W M', 200],
  ['POST', '/v1/automation-policies/{}/evaluate', 'K', 200],
];

const routes = new Map(
  publishedRoutes().map((route) => [`${route.method} ${route.path.replace(/\{\w+\}/g, '{}')}`, route]),
);

describe('the published calls', () => {
  it.each(CALLS)('%s %s takes %s and returns %i', (method, path, credentials, status) => {
    const route = routes.get(`${method} ${path}`);
    expect(route, 'the call exists').toBeDefined();
    const expected = credentials.split(' ').flatMap((letter) => KINDS[letter] ?? []);
    expect([...(route?.credential ?? [])].sort()).toEqual(expected.sort());
    expect(route?.status ?? 200).toBe(status);
  });

  it.each([...routes])('%s has schemas that compile', (_, { query, body }) => {
    for (const schema of [query, body]) if (schema) expect(() => compileValidator(schema)({})).not.toThrow();
  });

  it('there are no others', () => {
    const published = new Set(CALLS.map(([method, path]) => `${method} ${path}`));
    expect([...routes.keys()].filter((key) => !published.has(key))).toEqual([]);
  });

  it('the scopes of the specification guard the calls of a connection', () => {
    const scopes = Object.fromEntries(
      [...routes].filter(([, route]) => route.scope).map(([key, route]) => [key, route.scope]),
    );
    expect(scopes).toMatchObject({
      'POST /v1/transaction-contexts': 'transaction_contexts.create',
      'GET /v1/transaction-contexts/{}': 'transaction_contexts.read',
      'POST /v1/payment-requests': 'payment.requests.create',
      'GET /v1/payment-requests/{}': 'payment.requests.read',
      'GET /v1/payment-requests/events': 'payment.requests.read',
    });
  });
});

describe('the error table', () => {
  it.each([
    [
      400,
      'invalid_json validation_failed idempotency_key_required IDEMPOTENCY_KEY_MISMATCH invalid_cursor decision_signature_required',
    ],
    [
      401,
      'unauthenticated token_expired token_rotated token_revoked grant_invalid link_invalid invalid_assertion assertion_clock_skew assertion_replayed credential_not_active proof_required proof_invalid passkey_invalid',
    ],
    [
      403,
      'insufficient_scope connection_paused agent_not_active merchant_not_active csrf_invalid human_credential_required insufficient_role step_up_required second_person_required HC_NC_5_HITL_REQUIRED',
    ],
    [404, 'resource_not_found'],
    [405, 'method_not_allowed'],
    [
      409,
      'version_conflict invalid_status_transition status_conflict limit_reached payment_request_expired request_id_conflict recipient_version_not_active recipient_not_active evidence_mismatch evidence_expired domain_not_verified domain_proof_failed domain_already_verified network_not_enabled kid_conflict challenge_expired challenge_used connect_key_used connect_key_expired wallet_approval_required invitation_closed pairing_closed connection_revoked endpoint_verification_failed ambiguous_request_id phase_0_mainnet_disabled policy_incomplete policy_conflict last_owner expectation_mismatch possible_duplicate',
    ],
    [413, 'payload_too_large'],
    [415, 'unsupported_media_type'],
    [422, 'idempotency_key_reused risk_rejected decision_signature_invalid'],
    [429, 'rate_limited'],
    [500, 'internal_error'],
    [503, 'unavailable'],
  ])('%i: %s', (status, codes) => {
    const found = Object.entries(ERRORS).filter(([, entry]) => entry.httpStatus === status);
    expect(found.map(([code]) => code).sort()).toEqual(codes.split(' ').sort());
  });
});
