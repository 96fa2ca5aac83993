/** What can be wrong with one field, and how to fix it. Risk issues are exactly the codes that begin with `risk_`. */
export const ISSUE_CODES = {
  required: {
    meaning: 'The field is missing.',
    recovery: 'Send the field. The API reference lists those that a call needs.',
  },
  invalid_type: {
    meaning: 'The value has another JSON type than the field needs.',
    recovery: 'Send the type that the message names. Amounts are strings.',
  },
  invalid_format: {
    meaning: 'The value does not have the form that the field needs.',
    recovery: 'Compare it with the example of the field in the API reference.',
  },
  too_short: {
    meaning: 'The text or list is shorter than allowed.',
    recovery: 'Send at least as many characters or entries as the message requires.',
  },
  too_long: {
    meaning: 'The text, list or object is longer than allowed.',
    recovery: 'Shorten it to what the message allows.',
  },
  too_many: {
    meaning: 'More of them were sent than a call may have.',
    recovery: 'Split the call, or send fewer.',
  },
  out_of_range: {
    meaning: 'The number, time or nesting depth is outside the allowed range.',
    recovery: 'Send a value between the limits that the message names.',
  },
  invalid_enum: {
    meaning: 'The value is not one of the allowed ones.',
    recovery: 'Send one of the values that the message lists, in the same case.',
  },
  unknown_field: {
    meaning: 'The call has no such field; it may be misspelt.',
    recovery: 'Remove the field or correct its name. A newer field needs a newer service.',
  },
  identity_field_forbidden: {
    meaning: 'Identity comes from the credential and is never stated in a request.',
    recovery: 'Remove the field; use the credential of the party that acts.',
  },
  payment_fact_forbidden: {
    meaning: 'Payment details come from the payee version and are never stated in a request.',
    recovery: 'Remove the field and name the payee by recipient_id.',
  },
  display_override_forbidden: {
    meaning: 'Display data must not contain anything that resembles a payment detail.',
    recovery: 'Rename or remove the member; wallets show the pinned details themselves.',
  },
  read_only_field: {
    meaning: 'The service writes this field itself.',
    recovery: 'Remove the field.',
  },
  amount_invalid: {
    meaning: 'The amount is not an exact positive decimal such as "12.50".',
    recovery: 'Send digits with at most one point, as a string, without sign, exponent or leading zeros.',
  },
  amount_precision_exceeded: {
    meaning: 'The amount has more decimal places than the asset.',
    recovery: 'Round to the decimal places that the message names.',
  },
  address_invalid: {
    meaning: 'The address is not valid on this network.',
    recovery: 'Copy the address again from the wallet that owns it, and compare the network.',
  },
  unsupported_asset: {
    meaning: 'The asset cannot be paid on this network in this way.',
    recovery: 'Choose an asset that GET /v1/networks lists for the network, with its issuer or contract.',
  },
  expires_in_past: {
    meaning: 'The time of expiry is not in the future.',
    recovery: 'Send a later time, or expires_in in seconds.',
  },
  scope_unknown: {
    meaning: 'No such scope exists.',
    recovery: 'Use one of the scopes that the message lists.',
  },
  scope_not_allowed: {
    meaning: 'The scope is not among those that may be given here.',
    recovery: 'Request fewer scopes, or let the merchant allow this one for the agent.',
  },
  fact_mismatch: {
    meaning: 'The value contradicts what is known about the network or asset.',
    recovery: 'Correct the value, or leave it out: the service derives it.',
  },
  signature_invalid: {
    meaning: 'The signature does not verify with the registered key.',
    recovery: 'Sign exactly the given text with the private half of the registered key.',
  },
  risk_control_characters: {
    meaning: 'The text contains invisible or direction-changing characters.',
    recovery: 'Remove these characters and send plain text.',
  },
  risk_foreign_address: {
    meaning: 'The text contains a valid address that is not the payee.',
    recovery: 'Remove the address. Only the payee of the request may be named.',
  },
} as const satisfies Record<string, { meaning: string; recovery: string }>;

export type IssueCode = keyof typeof ISSUE_CODES;

export interface Issue {
  /** Dotted path, for example `payment.amount` or `display.items[0].memo`. */
  field: string;
  code: IssueCode;
  message: string;
}

type RiskIssueCode = Extract<IssueCode, `risk_${string}`>;

export function isRiskIssue(code: IssueCode): code is RiskIssueCode {
  return code.startsWith('risk_');
}

/** How many issues one response lists; the rest is counted. */
export const MAX_ISSUES = 200;
