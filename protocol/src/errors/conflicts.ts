import type { ErrorEntry } from './entry.ts';

/** 409: well formed and allowed, but the present state of a record does not allow it. */
export const STATE_CONFLICTS = {
  version_conflict: {
    httpStatus: 409,
    meaning: 'The record has a different version than the one sent: someone else changed it.',
    recovery:
      'Read the record, check what changed, and repeat with details.current_version if you still want the change.',
    safeToRetry: false,
  },
  invalid_status_transition: {
    httpStatus: 409,
    meaning: 'The record cannot move from its current status to the requested one.',
    recovery: 'Read the record; details.allowed lists the statuses it can move to.',
    safeToRetry: false,
  },
  status_conflict: {
    httpStatus: 409,
    meaning:
      'Another device already acted on this payment: it reported this status or signed, or another tx_hash is recorded.',
    recovery: 'Do not broadcast. Reload the payment and follow the device that reported first.',
    safeToRetry: false,
  },
  limit_reached: {
    httpStatus: 409,
    meaning: 'The maximum number of these records exists. The message names the limit and what it counts.',
    recovery: 'Delete or revoke records that are no longer needed, then retry.',
    safeToRetry: false,
  },
  payment_request_expired: {
    httpStatus: 409,
    meaning: 'The payment request expired before the wallet decided. It can no longer be signed or rejected.',
    recovery: 'Do not pay. If the payment is still wanted, the agent creates a new request with a new key.',
    safeToRetry: false,
  },
  request_id_conflict: {
    httpStatus: 409,
    meaning: 'This request_id already names another payment request of the same connection.',
    recovery: 'Choose another request_id, or repeat the first request unchanged to get its record.',
    safeToRetry: false,
  },
  possible_duplicate: {
    httpStatus: 409,
    meaning:
      'The connection has requested the same amount for the same payee within 24 hours (details.requests), and if_duplicate is refuse.',
    recovery:
      'Read details.requests. If a second payment is really wanted, name one of them as duplicate_of.',
    safeToRetry: false,
  },
  ambiguous_request_id: {
    httpStatus: 409,
    meaning: 'Two connections have a request with this request_id, so it is ambiguous.',
    recovery: 'Add connection_id to the call.',
    safeToRetry: false,
  },
} as const satisfies Record<string, ErrorEntry>;

export const MERCHANT_CONFLICTS = {
  last_owner: {
    httpStatus: 409,
    meaning:
      'The organization would be left with too few owners: it always keeps one, and two where every important change needs a second owner. Addresses that differ only by case, dots or a +tag are one person.',
    recovery: 'Make another active team member an owner first, then retry.',
    safeToRetry: false,
  },
  recipient_version_not_active: {
    httpStatus: 409,
    meaning: 'The named Recipient version is not the active one.',
    recovery:
      'Check the payee with the merchant, then send details.active_recipient_version_id or leave the member out.',
    safeToRetry: false,
  },
  recipient_not_active: {
    httpStatus: 409,
    meaning:
      'The Recipient has no active version, is archived, or is suspended because its domain no longer vouches for it (details.status).',
    recovery:
      'The merchant verifies and activates a version with a domain it holds now, or the agent names another Recipient.',
    safeToRetry: false,
  },
  expectation_mismatch: {
    httpStatus: 409,
    meaning:
      'The payee is not what the caller expects (details.expected, details.actual). Nothing was created.',
    recovery: 'Read details.actual. Repeat without the expectation only if that payment is wanted.',
    safeToRetry: false,
  },
  evidence_mismatch: {
    httpStatus: 409,
    meaning: 'The evidence belongs to another Recipient version, or the digest is not its digest.',
    recovery:
      'Verify this version again and activate it with evidence_id and evidence_digest from that response.',
    safeToRetry: false,
  },
  evidence_expired: {
    httpStatus: 409,
    meaning: 'The evidence is older than 24 hours.',
    recovery: 'Verify the Recipient version again and activate it with the new evidence.',
    safeToRetry: false,
  },
  domain_not_verified: {
    httpStatus: 409,
    meaning:
      'The domain that should back the evidence is not verified, or the evidence is older than its present proof.',
    recovery: 'Publish its challenge, verify the domain, create new evidence, then retry.',
    safeToRetry: false,
  },
  domain_proof_failed: {
    httpStatus: 409,
    meaning:
      'The challenge, or a payee record that is required, was not found at the domain. Nothing has changed.',
    recovery:
      'Publish details.expected exactly as shown, wait for DNS to spread, and try again. Keep it published afterwards.',
    safeToRetry: true,
  },
  domain_already_verified: {
    httpStatus: 409,
    meaning: 'Another organization has verified this domain and still publishes its proof.',
    recovery:
      'If the domain is yours, remove the other challenge from DNS or the web server, then verify again.',
    safeToRetry: false,
  },
  network_not_enabled: {
    httpStatus: 409,
    meaning: 'This service does not accept payments on this network.',
    recovery:
      'Use a network that GET /v1/networks shows as enabled, or let the host of the service enable this one.',
    safeToRetry: false,
  },
  kid_conflict: {
    httpStatus: 409,
    meaning: 'The agent already has a credential with this kid, and it has another key or is past its proof.',
    recovery: 'Register the key under a kid that was never used for this agent.',
    safeToRetry: false,
  },
  challenge_expired: {
    httpStatus: 409,
    meaning: 'The proof challenge is older than five minutes or has been replaced by a newer one.',
    recovery: 'Register the same kid and key again to get a fresh challenge, and sign that one.',
    safeToRetry: false,
  },
  challenge_used: {
    httpStatus: 409,
    meaning: 'This proof challenge has already activated the credential.',
    recovery: 'Nothing to do: read the credential, it should be active.',
    safeToRetry: false,
  },
  endpoint_verification_failed: {
    httpStatus: 409,
    meaning: 'The webhook endpoint could not be reached or did not return the challenge.',
    recovery:
      'Let the endpoint verify the signature and respond with 200 and the challenge as its body, then verify again.',
    safeToRetry: true,
  },
} as const satisfies Record<string, ErrorEntry>;

export const CONNECT_CONFLICTS = {
  connect_key_used: {
    httpStatus: 409,
    meaning: 'The Connect Key has been claimed or withdrawn.',
    recovery: 'Request a new Connect Key from the customer.',
    safeToRetry: false,
  },
  connect_key_expired: {
    httpStatus: 409,
    meaning: 'The Connect Key is older than ten minutes.',
    recovery: 'Request a new Connect Key from the customer.',
    safeToRetry: false,
  },
  wallet_approval_required: {
    httpStatus: 409,
    meaning: 'The customer has not approved the invitation yet. The claim token stays usable.',
    recovery: 'Wait for approval in the wallet (poll the invitation), then exchange again.',
    safeToRetry: true,
  },
  invitation_closed: {
    httpStatus: 409,
    meaning: 'The invitation has been decided, exchanged or has expired.',
    recovery: 'Read the invitation. To connect anyway, request a new Connect Key from the customer.',
    safeToRetry: false,
  },
  pairing_closed: {
    httpStatus: 409,
    meaning: 'The pairing session has been decided or has expired.',
    recovery: 'Start a new pairing session.',
    safeToRetry: false,
  },
  connection_revoked: {
    httpStatus: 409,
    meaning: 'The connection has been revoked for good.',
    recovery: 'Do not retry. Request a new connection from the customer.',
    safeToRetry: false,
  },
} as const satisfies Record<string, ErrorEntry>;

export const POLICY_CONFLICTS = {
  phase_0_mainnet_disabled: {
    httpStatus: 409,
    meaning: 'Agent payments and automation policies work on the test network only.',
    recovery: 'Use stellar_testnet and an agent with a test environment.',
    safeToRetry: false,
  },
  policy_incomplete: {
    httpStatus: 409,
    meaning:
      'The policy cannot become active: details.missing names every threshold that is empty or already over.',
    recovery:
      'Fill all four thresholds (single_tx_limit, cumulative_limit, validity_window, allowlist) and opt in again.',
    safeToRetry: false,
  },
  policy_conflict: {
    httpStatus: 409,
    meaning: 'Another policy for the same connection, network, asset and issuer is active.',
    recovery: 'Pause or delete that policy first, or change it instead.',
    safeToRetry: false,
  },
} as const satisfies Record<string, ErrorEntry>;
