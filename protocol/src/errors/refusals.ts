import type { ErrorEntry } from './entry.ts';

/** Refusals that do not depend on the state of a record. */
export const BAD_REQUEST = {
  invalid_json: {
    httpStatus: 400,
    meaning:
      'The body is not acceptable JSON: it is malformed, not UTF-8, nested deeper than 32 levels, repeats a key, or contains U+0000 or a lone surrogate.',
    recovery:
      'Serialise the body with a standard JSON library as UTF-8, without repeated keys, and send it again.',
    safeToRetry: false,
  },
  validation_failed: {
    httpStatus: 400,
    meaning: 'One or more fields are missing, unknown, malformed or contradictory.',
    recovery:
      'Every problem is in the list of issues with its field: fix all of them and send the request again.',
    safeToRetry: false,
  },
  idempotency_key_required: {
    httpStatus: 400,
    meaning:
      'This call creates something that must never be created twice, and it carries no idempotency key and no request_id.',
    recovery:
      'Choose one key per intended payment, store it before the first attempt, and send it as X-Idempotency-Key with every attempt.',
    safeToRetry: false,
  },
  IDEMPOTENCY_KEY_MISMATCH: {
    httpStatus: 400,
    meaning:
      'X-Idempotency-Key, Idempotency-Key and the body member idempotency_key are the same thing, and two of them differ.',
    recovery: 'Send the key once, or send exactly the same bytes in every place.',
    safeToRetry: false,
  },
  decision_signature_required: {
    httpStatus: 400,
    meaning:
      'The wallet has a decision key, so what its devices approve has to be signed. Rejecting never needs a signature.',
    recovery: 'Sign the decision statement with the decision key of this device and send it as `decision`.',
    safeToRetry: false,
  },
  invalid_cursor: {
    httpStatus: 400,
    meaning: 'cursor or since is not a value issued by this service.',
    recovery: 'Send next_cursor exactly as it was received, or leave it out to start at the beginning.',
    safeToRetry: false,
  },
} as const satisfies Record<string, ErrorEntry>;

export const UNAUTHENTICATED = {
  unauthenticated: {
    httpStatus: 401,
    meaning: 'The credential is missing, malformed, unknown, or not of a kind that this call accepts.',
    recovery:
      'Check which credential the call needs and how it is sent, sign in or fetch a fresh token, then try again.',
    safeToRetry: false,
  },
  token_expired: {
    httpStatus: 401,
    meaning: 'The token has expired.',
    recovery:
      'Fetch a new token (agents: sign a new assertion; team members: sign in again) and repeat the request once.',
    safeToRetry: true,
  },
  token_rotated: {
    httpStatus: 401,
    meaning: 'A newer token has replaced this one.',
    recovery:
      'Agents collect their own token with POST /v1/connections/{id}/collect-token; devices use the one from their last rotation. Then repeat the request once.',
    safeToRetry: true,
  },
  token_revoked: {
    httpStatus: 401,
    meaning:
      'The token, or the agent, credential, device or connection behind it, has been revoked for good.',
    recovery:
      'Do not retry. Request a new connection, credential or device from the customer or the merchant.',
    safeToRetry: false,
  },
  proof_required: {
    httpStatus: 401,
    meaning:
      "This agent's merchant requires a proof of possession with every connection token, and the call has none: the token alone opens nothing.",
    recovery:
      "Send the header DPoP with a proof (RFC 9449) signed by the agent's key; the SDK does it when it holds the key.",
    safeToRetry: false,
  },
  proof_invalid: {
    httpStatus: 401,
    meaning:
      'The proof in the header DPoP is not one for this call: see details.reason. A proof that is sent is checked, required or not.',
    recovery:
      'Sign a new proof for every attempt: key of an active credential, hash of this token, method and URL of this call, the current time, a fresh jti.',
    safeToRetry: false,
  },
  passkey_invalid: {
    httpStatus: 401,
    meaning:
      'The response of the passkey does not hold: the passkey is unknown, the challenge is expired, used or of another session, the origin is foreign, the person was not verified, the signature is wrong, or its counter went back.',
    recovery:
      'Request new options and use the passkey again, on the page of this service. A counter that went back means that the passkey was copied: remove it.',
    safeToRetry: false,
  },
  grant_invalid: {
    httpStatus: 401,
    meaning:
      'The session grant is unknown, already used or expired, or the choice is not one of those it offered.',
    recovery:
      'If the choice was wrong, repeat with one of the offered choices; otherwise request a new email link.',
    safeToRetry: false,
  },
  link_invalid: {
    httpStatus: 401,
    meaning: 'The one-time link or code is unknown, already used or expired.',
    recovery: 'Request a new one and use it once, before it expires.',
    safeToRetry: false,
  },
  invalid_assertion: {
    httpStatus: 401,
    meaning:
      'The agent assertion is malformed, names an unknown agent or key, or its signature does not verify.',
    recovery:
      'Check the agent id in iss and sub, the kid, the audience (the base URL), a lifetime of at most 300 seconds, and that the registered key signed it.',
    safeToRetry: false,
  },
  assertion_clock_skew: {
    httpStatus: 401,
    meaning:
      'The assertion is genuine, but its iat is more than 60 seconds ahead or its exp more than 60 seconds back.',
    recovery:
      'Set the clock of the signing machine (details.server_time shows ours) and sign a new assertion. Do not retry unchanged.',
    safeToRetry: false,
  },
  assertion_replayed: {
    httpStatus: 401,
    meaning: 'An assertion with this jti has already been used.',
    recovery:
      'Sign a new assertion with a fresh jti for each token. If you did not send it twice, search for a leak.',
    safeToRetry: false,
  },
  credential_not_active: {
    httpStatus: 401,
    meaning:
      'The assertion is genuine, but its credential is not proved yet, not valid yet, expired or revoked.',
    recovery: 'Activate the credential, or register and activate a new one, and sign with that.',
    safeToRetry: false,
  },
} as const satisfies Record<string, ErrorEntry>;

export const FORBIDDEN = {
  insufficient_scope: {
    httpStatus: 403,
    meaning:
      'The credential is genuine but lacks a scope that this call needs, more was requested than the agent is allowed, or a wallet has seen the connection token (`details.reason` is then `shared_token`).',
    recovery:
      "Request only allowed scopes; to get more, the merchant extends the agent and the customer approves a new connection. With a shared token: collect the agent's own with POST /v1/connections/{id}/collect-token.",
    safeToRetry: false,
  },
  connection_paused: {
    httpStatus: 403,
    meaning: 'The customer has paused this connection. Reading still works, creating does not.',
    recovery:
      'Wait until the customer resumes the connection in the wallet, then send the request again with the same key.',
    safeToRetry: false,
  },
  agent_not_active: {
    httpStatus: 403,
    meaning: 'The agent is pending or suspended, or has no active credential.',
    recovery:
      'The merchant sets the agent to active and activates a credential for it. A suspension by the host is lifted by the host alone.',
    safeToRetry: false,
  },
  merchant_not_active: {
    httpStatus: 403,
    meaning:
      'The organization has not proved a domain yet, and until then only domains can be changed; or the host has suspended it. The message gives the reason.',
    recovery:
      'Register a domain, publish its challenge and verify it: the first proof activates the organization. A suspension is lifted by the host alone.',
    safeToRetry: false,
  },
  csrf_invalid: {
    httpStatus: 403,
    meaning:
      'X-CSRF-Token is missing or belongs to another session, or the request comes from a foreign origin.',
    recovery:
      'Read csrf_token from GET /v1/merchant-sessions/current and send it in X-CSRF-Token from our own origin.',
    safeToRetry: false,
  },
  insufficient_role: {
    httpStatus: 403,
    meaning: 'Your role in this organization does not allow this call.',
    recovery:
      'details.required_role names the role that is needed. An owner of the organization can change your role, or make the call.',
    safeToRetry: false,
  },
  step_up_required: {
    httpStatus: 403,
    meaning:
      'You have registered a passkey, and this call needs it: no passkey was used in this session in the last 10 minutes. A session that began with a mailed link cannot use one for 24 hours. With details.ways: the call would change where money goes, and a mailbox alone is not enough for that.',
    recovery:
      'Call POST /v1/merchant-passkeys/step-up-options, use the passkey, send it to POST /v1/merchant-passkeys/step-up, then repeat. Where details.possible_from is set, sign in with the passkey instead. Where details.ways is set, one of them is needed: `passkey` (of someone who has been an owner for a day; effective for a day, and used in the last 10 minutes), `dns_binding` (publish the payee record in the DNS of a domain that has been verified for a day, then verify the version again) or `second_owner` (between two people who have been owners for a day, the call waits for the approval of the other one).',
    safeToRetry: false,
  },
  second_person_required: {
    httpStatus: 403,
    meaning:
      'This change needs a second owner, and you requested it or have not been an owner for a day. Addresses that differ only by case, dots or a +tag are one person.',
    recovery:
      'Another owner approves or rejects it within 24 hours: GET /v1/approvals lists pending changes.',
    safeToRetry: false,
  },
  human_credential_required: {
    httpStatus: 403,
    meaning: 'Only a person can do this: an API key alone cannot act for a human.',
    recovery: 'Repeat the call with an admin session, a merchant session or a wallet device.',
    safeToRetry: false,
  },
  HC_NC_5_HITL_REQUIRED: {
    httpStatus: 403,
    meaning:
      'The automation policy does not cover this intent, so a human must decide. details.triggered_thresholds names every reason. Nothing was stored.',
    recovery:
      'Have a person submit it with initiated_by "human", or stay within details.max_amount_allowed and the allowlist.',
    safeToRetry: false,
  },
} as const satisfies Record<string, ErrorEntry>;

export const REQUEST_SHAPE = {
  resource_not_found: {
    httpStatus: 404,
    meaning:
      'Nothing with this identifier is visible to this credential. Absent and foreign records return the same bytes.',
    recovery:
      'Check the identifier and that the credential belongs to the same tenant, wallet or connection.',
    safeToRetry: false,
  },
  method_not_allowed: {
    httpStatus: 405,
    meaning: 'The path exists but does not support this method.',
    recovery: 'Use one of the methods in the Allow header.',
    safeToRetry: false,
  },
  payload_too_large: {
    httpStatus: 413,
    meaning: 'The body is larger than 64 KiB.',
    recovery: 'Send less: store documents elsewhere and link to them.',
    safeToRetry: false,
  },
  unsupported_media_type: {
    httpStatus: 415,
    meaning: 'The body is not declared as application/json in UTF-8.',
    recovery: 'Send Content-Type: application/json.',
    safeToRetry: false,
  },
} as const satisfies Record<string, ErrorEntry>;

export const UNPROCESSABLE_AND_SERVER = {
  idempotency_key_reused: {
    httpStatus: 422,
    meaning: 'This idempotency key was already used with a different intent.',
    recovery: 'For a new payment choose a new key. For a retry send exactly the first body again.',
    safeToRetry: false,
  },
  decision_signature_invalid: {
    httpStatus: 422,
    meaning:
      'The signature is not one of this key over this statement: another key, other details, another origin, no user verification, a time that is more than five minutes off, an authorization that was used before, or a passkey whose counter is not above the last one.',
    recovery:
      'Read the record again, build the statement from the details that the customer is shown, and sign it with the decision key of this device. `details.reason` names the mismatch.',
    safeToRetry: false,
  },
  risk_rejected: {
    httpStatus: 422,
    meaning: 'The request is well formed, but its text could mislead the person who approves it.',
    recovery: 'Remove invisible characters and foreign addresses from the fields in the list of issues.',
    safeToRetry: false,
  },
  rate_limited: {
    httpStatus: 429,
    meaning: 'Too many requests in a short time.',
    recovery: 'Wait for the seconds in Retry-After, then send the same request again.',
    safeToRetry: true,
  },
  internal_error: {
    httpStatus: 500,
    meaning: 'The service failed. Whether the change was made is unknown.',
    recovery: 'Repeat with the same idempotency key; if it fails again, report the request_id to the host.',
    safeToRetry: true,
  },
  unavailable: {
    httpStatus: 503,
    meaning: 'The service is temporarily unavailable, for example because its database cannot be reached.',
    recovery: 'Wait for the seconds in Retry-After, then retry with the same idempotency key.',
    safeToRetry: true,
  },
} as const satisfies Record<string, ErrorEntry>;
