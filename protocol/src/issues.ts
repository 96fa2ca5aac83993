/** What can be wrong with one field. Risk issues are exactly the codes that begin with `risk_`. */
export const ISSUE_CODES = {
  required: 'The field is missing.',
  invalid_type: 'The value has another JSON type than the field needs.',
  invalid_format: 'The value does not have the form that the field needs.',
  too_short: 'The text or list is shorter than allowed.',
  too_long: 'The text, list or object is longer than allowed.',
  too_many: 'More of them were sent than a call may have.',
  out_of_range: 'The number, time or nesting depth lies outside the allowed range.',
  invalid_enum: 'The value is not one of the allowed ones.',
  unknown_field: 'No such field exists here; it may be misspelt.',
  identity_field_forbidden: 'Identity comes from the credential and is never stated in a request.',
  payment_fact_forbidden: 'Payment facts come from the Recipient version and are never stated in a request.',
  display_override_forbidden: 'Display data must not carry anything that looks like a payment fact.',
  read_only_field: 'The service writes this field itself.',
  amount_invalid: 'The amount is not an exact positive decimal such as "12.50".',
  amount_precision_exceeded: 'The amount has more fraction digits than the asset has decimals.',
  address_invalid: 'The address is not valid on this network.',
  unsupported_asset: 'The asset cannot be paid on this network in this way.',
  expires_in_past: 'The time of expiry is not in the future.',
  scope_unknown: 'No such scope exists.',
  scope_not_allowed: 'The scope is not among those that may be given here.',
  fact_mismatch: 'The value contradicts what is known about the network or asset.',
  signature_invalid: 'The signature does not verify with the registered key.',
  risk_control_characters: 'The text contains invisible or direction-changing characters.',
  risk_foreign_address: 'The text contains a valid address that is not the payee.',
} as const satisfies Record<string, string>;

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
