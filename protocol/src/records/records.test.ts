import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { describe, expect, it } from 'vitest';
import * as records from './index.ts';

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
formats.default(ajv);

const AT = '2026-01-02T03:04:05.678Z';
const ULID = '01ARYZ6S410000000000000000';
const DIGEST = `sha256:${'a'.repeat(64)}`;
const times = { created_at: AT, updated_at: AT };
const requester = {
  requested_scopes: ['payment.requests.create'],
  approved_scopes: null,
  agent: { agent_id: `agt_${ULID}`, name: 'Bot', runtime: 'node' },
  merchant: { name: 'Shop', verified_domain: null },
  connection_id: null,
  created_at: AT,
  expires_at: AT,
};
const policy = {
  id: `pol_${ULID}`,
  status: 'draft',
  version: 1,
  connection_id: `con_${ULID}`,
  network: 'stellar_testnet',
  asset: 'XLM',
  issuer: null,
  single_tx_limit: null,
  cumulative_limit: '10.50',
  validity_window: { from: AT, until: AT },
  allowlist: [{ recipient_id: `rcp_${ULID}` }, { address: 'G' }],
  usage: { spent: '0', reserved: '0', remaining: '10.5' },
  opted_in_at: null,
  created_at: AT,
};

/** One good example per record, written from the contract. */
const connection = {
  connection_id: `con_${ULID}`,
  status: 'active',
  scopes: ['payment.requests.read'],
  agent: { agent_id: `agt_${ULID}`, name: 'Bot' },
  merchant: { name: 'Shop', verified_domain: 'shop.example' },
  ...times,
};
const policySummary = {
  id: `pol_${ULID}`,
  status: 'active',
  network: 'stellar_testnet',
  asset: 'XLM',
  remaining: '142.5',
};

const EXAMPLES: Record<string, [TSchema, Record<string, unknown>]> = {
  Merchant: [
    records.MerchantSchema,
    {
      merchant_id: `mer_${ULID}`,
      name: 'Shop',
      status: 'pending',
      require_payee_binding: false,
      four_eyes: false,
      version: 1,
      ...times,
    },
  ],
  MerchantChoice: [records.MerchantChoiceSchema, { choice_id: 'c', name: 'Shop', status: 'active' }],
  MerchantSession: [
    records.MerchantSessionSchema,
    {
      session_id: `ses_${ULID}`,
      current: true,
      signed_in_by: 'mail',
      network_address: '192.0.2.1',
      user_agent: null,
      stepped_up_until: null,
      created_at: AT,
      last_seen_at: AT,
      expires_at: AT,
    },
  ],
  Approval: [
    records.ApprovalSchema,
    {
      approval_id: `apr_${ULID}`,
      act: 'recipient.activate',
      target: { type: 'recipient', id: `rcp_${ULID}` },
      details: { address: 'G' },
      status: 'pending',
      requested_by: `acc_${ULID}`,
      requested_by_email: 'ada@shop.example',
      decided_by: null,
      decided_by_email: null,
      decided_at: null,
      created_at: AT,
      expires_at: AT,
    },
  ],
  Passkey: [
    records.PasskeySchema,
    {
      passkey_id: `psk_${ULID}`,
      name: 'Phone',
      backed_up: true,
      created_at: AT,
      effective_at: AT,
      last_used_at: null,
    },
  ],
  TeamMember: [
    records.TeamMemberSchema,
    {
      operator_id: `acc_${ULID}`,
      email: 'ada@shop.example',
      role: 'owner',
      status: 'active',
      created_at: AT,
      pending_passkeys: [{ passkey_id: `psk_${ULID}`, name: 'Phone', created_at: AT, effective_at: AT }],
    },
  ],
  Operator: [
    records.OperatorSchema,
    {
      operator_id: `acc_${ULID}`,
      email: 'ada@shop.example',
      role: 'developer',
      status: 'invited',
      created_at: AT,
    },
  ],
  Domain: [
    records.DomainSchema,
    {
      domain_id: `dom_${ULID}`,
      domain: 'shop.example',
      method: 'dns',
      status: 'pending',
      created_at: AT,
      verified_at: null,
    },
  ],
  DomainChallenge: [
    records.DomainChallengeSchema,
    {
      method: 'https',
      dns: { type: 'TXT', name: '_svc-challenge.a.example', value: 'v' },
      https: { url: 'https://a.example/', body: 'v' },
      expires_at: AT,
    },
  ],
  Recipient: [
    records.RecipientSchema,
    {
      recipient_id: `rcp_${ULID}`,
      name: 'Till',
      status: 'draft',
      active_version_id: null,
      version: 1,
      ...times,
    },
  ],
  RecipientVersion: [
    records.RecipientVersionSchema,
    {
      recipient_version_id: `rcv_${ULID}`,
      recipient_id: `rcp_${ULID}`,
      number: 1,
      status: 'created',
      name: 'Till',
      rail: 'stellar_xlm',
      network: 'stellar_testnet',
      asset: 'XLM',
      address: 'G',
      memo: null,
      contract: null,
      issuer: null,
      decimals: 7,
      chain_id: null,
      payee_record: `svc-payee=${DIGEST}`,
      binding: null,
      created_at: AT,
      verified_at: null,
      activated_at: null,
      suspended_at: null,
    },
  ],
  Evidence: [
    records.EvidenceSchema,
    {
      evidence_id: `evd_${ULID}`,
      recipient_version_id: `rcv_${ULID}`,
      type: 'domain_proof',
      source_id: `dom_${ULID}`,
      binding: 'payee',
      evidence_digest: DIGEST,
      created_at: AT,
      expires_at: AT,
    },
  ],
  AuditEvent: [
    records.AuditEventSchema,
    {
      audit_event_id: `aud_${ULID}`,
      type: 'agent.created',
      actor: { kind: 'operator', id: 'x' },
      target: { type: 'agent', id: `agt_${ULID}` },
      details: {},
      request_id: null,
      occurred_at: AT,
    },
  ],
  Agent: [
    records.AgentSchema,
    {
      agent_id: `agt_${ULID}`,
      name: 'Bot',
      runtime: 'node',
      environment: 'test',
      allowed_scopes: [],
      status: 'pending',
      require_proof: false,
      version: 1,
      ...times,
    },
  ],
  Credential: [
    records.CredentialSchema,
    {
      credential_id: `crd_${ULID}`,
      agent_id: `agt_${ULID}`,
      kid: 'k 1',
      alg: 'Ed25519',
      status: 'pending_proof',
      not_before: null,
      expires_at: AT,
      created_at: AT,
    },
  ],
  Decision: [
    records.DecisionSchema,
    {
      decision: 'approve',
      decided_at: AT,
      device_id: `dev_${ULID}`,
      alg: null,
      key_thumbprint: null,
      statement: null,
    },
  ],
  DecisionKeySummary: [
    records.DecisionKeySummarySchema,
    { alg: 'Ed25519', thumbprint: `sha256:${'0'.repeat(64)}`, created_at: AT, endorsed_by: null },
  ],
  Settlement: [
    records.SettlementSchema,
    {
      state: 'mismatch',
      checked_at: AT,
      sources: { asked: 3, agreed: 2 },
      transaction: {
        tx_hash: 'ab',
        block: 7,
        block_hash: 'cd',
        time: AT,
        confirmations: 1,
        payments: [{ to: 'G', asset: 'XLM', amount: '12.5' }],
        memo: null,
      },
      differences: [{ fact: 'amount', pinned: '12.50', observed: '1' }],
    },
  ],
  EvidenceBundle: [
    records.EvidenceBundleSchema,
    {
      profile: 'svc.evidence.v1',
      service: { origin: 'https://pay.example' },
      payee: null,
      request: {},
      agent: {},
      context: null,
      decision: null,
      history: [],
      settlement: null,
      log: { entries: [] },
      as_of: AT,
      signature: { kid: 'evidence_1', value: 'AA' },
    },
  ],
  Device: [
    records.DeviceSchema,
    {
      device_id: `dev_${ULID}`,
      wallet_id: `wlt_${ULID}`,
      name: 'Phone',
      platform: null,
      status: 'active',
      has_push: false,
      created_at: AT,
    },
  ],
  PendingChange: [
    records.PendingChangeSchema,
    {
      change_id: `chg_${ULID}`,
      act: 'set_key',
      device_id: `dev_${ULID}`,
      requested_by: `dev_${ULID}`,
      created_at: AT,
      takes_effect_at: AT,
      status: 'pending',
    },
  ],
  ConnectKey: [
    records.ConnectKeySchema,
    { connect_key_id: `cky_${ULID}`, status: 'issued', created_at: AT, expires_at: AT },
  ],
  ConnectInvitation: [
    records.ConnectInvitationSchema,
    { connect_invitation_id: `inv_${ULID}`, status: 'pending_approval', ...requester },
  ],
  PairingSession: [
    records.PairingSessionSchema,
    { pairing_session_id: `pair_${ULID}`, status: 'pending', poll_after_ms: 2000, ...requester },
  ],
  StartedPairingSession: [
    records.StartedPairingSessionSchema,
    {
      pairing_session_id: `pair_${ULID}`,
      status: 'pending',
      poll_after_ms: 2000,
      code: 'BCDF-GHJK',
      pairing_uri: 'svc://pair?session=x',
      ...requester,
    },
  ],
  Connection: [records.ConnectionSchema, connection],
  PolicySummary: [records.PolicySummarySchema, policySummary],
  CurrentConnection: [
    records.CurrentConnectionSchema,
    {
      connection,
      effective_scopes: ['payment.requests.read'],
      policies: [policySummary],
      wallet: { last_seen_at: AT, has_push: false },
      limits: { pending: 0, max_pending: null },
    },
  ],
  Payee: [
    records.PayeeSchema,
    {
      recipient_id: `rcp_${ULID}`,
      recipient_version_id: `rcv_${ULID}`,
      name: 'Till',
      domain: 'shop.example',
      verified: true,
      binding: 'domain',
      evidence_digest: DIGEST,
      payment: { rail: 'stellar_xlm', network: 'stellar_testnet', asset: 'XLM', to: 'G', decimals: 7 },
      activated_at: AT,
    },
  ],
  NetworkInfo: [
    records.NetworkInfoSchema,
    {
      network: 'stellar_testnet',
      caip2: 'stellar:testnet',
      rails: ['stellar_xlm'],
      native_asset: 'XLM',
      decimals: 7,
      address_form: 'G and 55 characters',
      memo: { kind: 'text', max_bytes: 28 },
      max_amount: null,
      explorer: 'https://explorer.example/{tx_hash}',
      is_testnet: true,
      enabled: true,
    },
  ],
  PaymentRequestEvent: [
    records.PaymentRequestEventSchema,
    {
      event_id: `evt_${ULID}`,
      sequence: 1,
      type: 'payment_request.signed',
      request_id: 'r',
      connection_id: `con_${ULID}`,
      status: 'signed',
      previous_status: 'pending',
      state_version: 2,
      actor: 'wallet',
      occurred_at: AT,
    },
  ],
  TransactionContext: [
    records.TransactionContextSchema,
    { transaction_id: 't', revision: 1, created_at: AT },
  ],
  Figures: [
    records.FiguresSchema,
    {
      today: AT,
      complete_since: AT,
      received: [
        {
          network: 'stellar_testnet',
          asset: 'XLM',
          standing: 'reported',
          today: '0',
          week: '12.5',
          month: '30.0000001',
        },
      ],
      approved: 3,
      rejected: 1,
      undecided: 0,
      median_decision_ms: 9000,
      waiting: 2,
    },
  ],
  WebhookEndpoint: [
    records.WebhookEndpointSchema,
    {
      webhook_endpoint_id: `whe_${ULID}`,
      url: 'https://a.example/',
      event_types: ['*', 'payment_request.*', 'connection.created'],
      status: 'active',
      queue_full_since: null,
      version: 1,
      ...times,
    },
  ],
  WebhookDelivery: [
    records.WebhookDeliverySchema,
    {
      delivery_id: `whd_${ULID}`,
      event_id: `evt_${ULID}`,
      event_type: 'webhook.verification',
      webhook_endpoint_id: `whe_${ULID}`,
      attempt: 1,
      status: 'pending',
      http_status: null,
      error_class: null,
      duration_ms: null,
      created_at: AT,
      attempted_at: null,
      next_attempt_at: AT,
    },
  ],
  WebauthnAssertion: [
    records.WebauthnAssertionSchema,
    { authenticator_data: 'AA', client_data_json: 'AA', signature: 'AA' },
  ],
  WebhookBody: [
    records.WebhookBodySchema,
    { id: `evt_${ULID}`, type: 'connection.revoked', timestamp: AT, data: {} },
  ],
  ApiKey: [
    records.ApiKeySchema,
    {
      api_key_id: `key_${ULID}`,
      name: 'k',
      agent_id: `agt_${ULID}`,
      status: 'active',
      created_by: null,
      created_at: AT,
      revoked_at: null,
    },
  ],
  AdminSession: [records.AdminSessionSchema, { session_token: 'svc_st_x', expires_at: AT }],
  AgentPaymentEvent: [
    records.AgentPaymentEventSchema,
    {
      event_id: `evt_${ULID}`,
      sequence: 1,
      type: 'agent_payment.cancelled',
      agent_payment_id: `ap_${ULID}`,
      connection_id: `con_${ULID}`,
      status: 'cancelled',
      previous_status: 'intent_created',
      state_version: 2,
      actor: 'agent',
      occurred_at: AT,
    },
  ],
  AgentPayment: [
    records.AgentPaymentSchema,
    {
      id: `ap_${ULID}`,
      status: 'intent_created',
      state_version: 1,
      connection_id: `con_${ULID}`,
      network: 'stellar_testnet',
      asset: 'XLM',
      amount: '1',
      to: 'G',
      recipient_id: null,
      initiated_by: 'agent',
      policy_id: null,
      tx_hash: null,
      reason: null,
      expires_at: AT,
      ...times,
      metadata: {},
      rail: 'stellar_xlm',
      facts_digest: DIGEST,
    },
  ],
  AutomationPolicy: [records.AutomationPolicySchema, policy],
  AllowedPayee: [
    records.AllowedPayeeSchema,
    {
      recipient_id: `rcp_${ULID}`,
      recipient_version_id: `rcv_${ULID}`,
      name: 'Shop',
      address: 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
      memo: null,
      domain: 'shop.example',
    },
  ],
  PolicyEvaluation: [
    records.PolicyEvaluationSchema,
    {
      id: `pol_${ULID}`,
      status: 'active',
      verdict: 'allow',
      triggered_thresholds: [],
      remaining: '0',
      max_amount_allowed: '0',
    },
  ],
  HumanRequiredDetails: [
    records.HitlDetailsSchema,
    {
      triggered_thresholds: ['no_active_policy'],
      policy_id: null,
      limits: null,
      remaining: null,
      max_amount_allowed: '0',
      resubmit: { initiated_by: 'human' },
    },
  ],
  Issue: [records.IssueSchema, { field: 'payment.amount', code: 'amount_invalid', message: 'x' }],
  ErrorEnvelope: [
    records.ErrorEnvelopeSchema,
    { ok: false, error: { code: 'resource_not_found', message: 'x', request_id: 'r' } },
  ],
  AgentPaymentErrorEnvelope: [
    records.AgentPaymentErrorEnvelopeSchema,
    {
      success: false,
      error: { code: 'HC_NC_5_HITL_REQUIRED', message: 'x', details: {} },
      request_id: 'r',
      timestamp: AT,
    },
  ],
  AgentPaymentEnvelope: [
    records.AgentPaymentEnvelopeSchema,
    { success: true, data: {}, request_id: 'r', timestamp: AT },
  ],
  ErrorCatalogueEntry: [
    records.ErrorCatalogueEntrySchema,
    { code: 'invalid_json', http_status: 400, meaning: 'x', recovery: 'y', safe_to_retry: false },
  ],
};

describe.each(Object.entries(EXAMPLES))('record %s', (name, [schema, example]) => {
  const isValid = ajv.compile(schema);

  it('is plain JSON Schema with its name as title', () => {
    expect(JSON.parse(JSON.stringify(schema))).toMatchObject({ type: 'object', title: name });
  });

  it('accepts its example, also with a member added later', () => {
    expect(isValid(example), ajv.errorsText(isValid.errors)).toBe(true);
    expect(isValid({ ...example, added_later: 1 })).toBe(true);
  });

  it('refuses it without any one of its members', () => {
    for (const member of Object.keys(example)) {
      const rest = Object.fromEntries(Object.entries(example).filter(([key]) => key !== member));
      expect(isValid(rest), member).toBe(false);
    }
  });

  it('refuses an unknown status, type, foreign id and a time without date', () => {
    for (const [member, value] of Object.entries(example)) {
      if (member === 'status' || member === 'type')
        expect(isValid({ ...example, [member]: 'other' }), member).toBe(false);
      if (
        typeof value === 'string' &&
        value.includes(ULID) &&
        member !== 'event_id' &&
        member !== 'connection_id' &&
        member !== 'id'
      ) {
        expect(isValid({ ...example, [member]: `zzz_${ULID}` }), member).toBe(false);
      }
      if (value === AT) expect(isValid({ ...example, [member]: '03:04' }), member).toBe(false);
    }
  });
});

describe('records', () => {
  it('have an example each', () => {
    const titles = Object.values(records).flatMap((value) => ('title' in value ? [String(value.title)] : []));
    // A preview is made of parts of a request, and a risk has no member that must be there.
    const testedElsewhere = ['PaymentRequest', 'PaymentRequestV1', 'PaymentRequestPreview', 'PaymentRisk'];
    expect([...Object.keys(EXAMPLES), ...testedElsewhere].toSorted()).toEqual(titles.toSorted());
  });

  it('an allowlist entry names either a Recipient or an address', () => {
    const isPolicy = ajv.compile(records.AutomationPolicySchema);
    for (const entry of [{}, { recipient_id: 'r', address: 'a' }, 'r']) {
      expect(isPolicy({ ...policy, allowlist: [entry] })).toBe(false);
    }
  });

  it('a pairing code has its shape', () => {
    const isPairing = ajv.compile(records.StartedPairingSessionSchema);
    const [, example] = EXAMPLES.StartedPairingSession ?? [];
    for (const code of ['BCDFGHJK', 'ABCD-EFGH']) expect(isPairing({ ...example, code })).toBe(false);
  });
});
