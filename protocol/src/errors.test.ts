import { describe, expect, it } from 'vitest';
import { ERROR_CODES, ERRORS, isErrorCode } from './errors.ts';
import { ISSUE_CODES, type IssueCode, isRiskIssue } from './issues.ts';

/** Written down a second time on purpose, from the contract and not from the table. */
const CONTRACT_CODES: Record<number, string[]> = {
  400: [
    'invalid_json',
    'validation_failed',
    'idempotency_key_required',
    'IDEMPOTENCY_KEY_MISMATCH',
    'invalid_cursor',
    'decision_signature_required',
  ],
  401: [
    'passkey_invalid proof_required proof_invalid unauthenticated token_expired token_rotated token_revoked grant_invalid link_invalid invalid_assertion',
    'assertion_clock_skew assertion_replayed credential_not_active',
  ],
  403: [
    'insufficient_scope connection_paused agent_not_active merchant_not_active csrf_invalid',
    'insufficient_role step_up_required second_person_required human_credential_required HC_NC_5_HITL_REQUIRED',
  ],
  404: ['resource_not_found'],
  405: ['method_not_allowed'],
  409: [
    'version_conflict invalid_status_transition status_conflict limit_reached payment_request_expired',
    'request_id_conflict recipient_version_not_active recipient_not_active evidence_mismatch evidence_expired',
    'domain_not_verified domain_proof_failed domain_already_verified network_not_enabled kid_conflict',
    'challenge_expired challenge_used connect_key_used connect_key_expired wallet_approval_required',
    'invitation_closed pairing_closed connection_revoked endpoint_verification_failed',
    'ambiguous_request_id phase_0_mainnet_disabled policy_incomplete policy_conflict last_owner expectation_mismatch possible_duplicate',
  ],
  413: ['payload_too_large'],
  415: ['unsupported_media_type'],
  422: ['idempotency_key_reused', 'risk_rejected', 'decision_signature_invalid'],
  429: ['rate_limited'],
  500: ['internal_error'],
  503: ['unavailable'],
};

describe('error table', () => {
  it('holds exactly the codes of the contract with their HTTP statuses', () => {
    const expected = Object.entries(CONTRACT_CODES).flatMap(([status, codes]) =>
      codes.flatMap((line) => line.split(' ')).map((code) => `${status} ${code}`),
    );
    const actual = ERROR_CODES.map((code) => `${ERRORS[code].httpStatus} ${code}`);
    expect(actual.toSorted()).toEqual(expected.toSorted());
  });

  it('describes to a person what happened and what to do, in full sentences', () => {
    for (const code of ERROR_CODES) {
      const { meaning, recovery } = ERRORS[code];
      for (const sentence of [meaning, recovery]) expect(sentence, code).toMatch(/^[A-Zcx].{15,}\.$/i);
      expect(meaning, code).not.toBe(recovery);
    }
  });

  it('never calls a 403, a revocation, a clock skew or a replay safe to retry', () => {
    for (const code of ERROR_CODES)
      if (ERRORS[code].httpStatus === 403) expect(ERRORS[code].safeToRetry, code).toBe(false);
    for (const code of [
      'token_revoked',
      'connection_revoked',
      'assertion_clock_skew',
      'assertion_replayed',
    ] as const) {
      expect(ERRORS[code].safeToRetry, code).toBe(false);
    }
    for (const code of ['rate_limited', 'internal_error', 'unavailable', 'token_expired'] as const) {
      expect(ERRORS[code].safeToRetry, code).toBe(true);
    }
  });

  it('recognises its own codes and nothing inherited', () => {
    expect(isErrorCode('invalid_json')).toBe(true);
    for (const other of ['toString', '__proto__', 'nope', 7, null]) expect(isErrorCode(other)).toBe(false);
  });
});

describe('issue codes', () => {
  it('are exactly those of the contract', () => {
    expect(Object.keys(ISSUE_CODES)).toEqual(
      [
        'required invalid_type invalid_format too_short too_long too_many out_of_range invalid_enum unknown_field',
        'identity_field_forbidden payment_fact_forbidden display_override_forbidden read_only_field amount_invalid',
        'amount_precision_exceeded address_invalid unsupported_asset expires_in_past scope_unknown scope_not_allowed',
        'fact_mismatch signature_invalid risk_control_characters risk_foreign_address',
      ].flatMap((line) => line.split(' ')),
    );
  });

  it('each describe what happened and what to do', () => {
    for (const [code, { meaning, recovery }] of Object.entries(ISSUE_CODES)) {
      for (const sentence of [meaning, recovery]) expect(sentence, code).toMatch(/^[A-Z].{10,}\.$/);
      expect(meaning).not.toBe(recovery);
    }
  });

  it('count as risk exactly when they begin with risk_', () => {
    const risky = (Object.keys(ISSUE_CODES) as IssueCode[]).filter(isRiskIssue);
    expect(risky).toEqual(['risk_control_characters', 'risk_foreign_address']);
  });
});
