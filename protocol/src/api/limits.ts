/** The rate limits by name. What each allows is the server's configuration; which call counts against which is the contract. */
const RATE_LIMIT_NAMES = [
  'token',
  'assertions',
  'claim',
  'pairing',
  'pairing_lookup',
  'create',
  'reads',
  'proofs',
  'merchant_mutations',
  'wallet_mutations',
  'wallet_mutations_daily',
  'device_enrolment',
  'registrations',
  'first_invitations',
  'invitations',
  'passkey_sign_in',
  'anonymous',
] as const;
export type RateLimitName = (typeof RATE_LIMIT_NAMES)[number];
