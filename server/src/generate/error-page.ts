import { ERRORS, type ErrorCode, ISSUE_CODES, REJECTION_REASONS } from '@payassent/protocol';

/** `details` as a response has them, for codes that have some. */
const DETAILS: Partial<Record<ErrorCode, object>> = {
  passkey_invalid: { reason: 'challenge_expired' },
  proof_invalid: { reason: 'url' },
  assertion_clock_skew: { server_time: '2026-11-15T12:00:00.000Z' },
  insufficient_scope: { required_scope: 'payment.requests.create' },
  insufficient_role: { required_role: 'owner' },
  step_up_required: { ways: ['passkey', 'dns_binding', 'second_owner'] },
  HC_NC_5_HITL_REQUIRED: { triggered_thresholds: ['single_tx_limit'], max_amount_allowed: '10' },
  version_conflict: { current_version: 4 },
  invalid_status_transition: { from: 'revoked', to: 'active', allowed: [] },
  status_conflict: { status: 'signed' },
  limit_reached: { limit: 100 },
  possible_duplicate: { requests: ['pr_01JZ…'] },
  recipient_version_not_active: { active_recipient_version_id: 'rcv_01JZ…' },
  recipient_not_active: { status: 'suspended' },
  domain_proof_failed: { reason: 'not_found', expected: 'svc-domain-verification=…', found: [] },
  network_not_enabled: { network: 'bitcoin_mainnet', enabled_networks: ['stellar_testnet'] },
  expectation_mismatch: { expected: { asset: 'USDC' }, actual: { asset: 'XLM' } },
  endpoint_verification_failed: { error_class: 'timeout' },
  idempotency_key_reused: { request_id: 'pr_01JZ…', changed: ['payment.amount'] },
};

/** Codes of `/v1/agent-payments` and `/v1/automation-policies` alone, whose errors have another envelope. */
const SECOND_SURFACE: readonly ErrorCode[] = [
  'HC_NC_5_HITL_REQUIRED',
  'human_credential_required',
  'phase_0_mainnet_disabled',
  'policy_incomplete',
  'policy_conflict',
];

const cell = (text: string) => text.replaceAll('|', '\\|');

/** Everything below the title of docs/ERRORS.md: each code with its cause, what to do and an example. */
export function errorList(): string {
  const codes = Object.keys(ERRORS) as ErrorCode[];
  const statuses = [...new Set(codes.map((code) => ERRORS[code].httpStatus))].sort((a, b) => a - b);
  return [
    ...statuses.flatMap((status) => [
      `## Status ${status}`,
      '',
      ...codes.filter((code) => ERRORS[code].httpStatus === status).flatMap(section),
    ]),
    '## Issue codes',
    '',
    'One rejected request lists all of its issues in `error.issues` (`error.details.issues` on the second surface), each with its field, its code and a message with the values.',
    '',
    '| Code | Meaning | What to do |',
    '|---|---|---|',
    ...Object.entries(ISSUE_CODES).map(
      ([code, { meaning, recovery }]) => `| \`${code}\` | ${cell(meaning)} | ${cell(recovery)} |`,
    ),
    '',
    '## Reason codes',
    '',
    'What wallets should send as `reason_code` when the customer rejects. Others are allowed, except the reasons of the service itself: `payee_recalled`, `connection_revoked`, `withdrawn_by_agent` and `superseded`.',
    '',
    ...REJECTION_REASONS.map((code) => `- \`${code}\``),
  ].join('\n');
}

function section(code: ErrorCode): string[] {
  const { meaning, recovery, safeToRetry } = ERRORS[code];
  return [
    `### \`${code}\``,
    '',
    `**Cause.** ${meaning}`,
    '',
    `**What to do.** ${recovery}`,
    '',
    `**Retry.** ${safeToRetry ? 'A program may send the same request again, as described above.' : 'Not without a change.'}`,
    '',
    '```json',
    JSON.stringify(exampleOf(code)),
    '```',
    '',
  ];
}

function exampleOf(code: ErrorCode): object {
  const { meaning } = ERRORS[code];
  const details = DETAILS[code] === undefined ? {} : { details: DETAILS[code] };
  if (SECOND_SURFACE.includes(code))
    return { success: false, error: { code, message: meaning, ...details }, request_id: 'req_…' };
  return { ok: false, error: { code, message: meaning, request_id: 'req_…', ...details } };
}
