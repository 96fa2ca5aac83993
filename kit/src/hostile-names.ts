/** Names that say what only the page may say. The service takes them; no one who pays is shown them. */
export const CLAIMING_NAMES = {
  payee: 'Refund to you: +250.00 XLM ✔ verified',
  merchant: 'Stripe Payments ✔ Verified by PayAssent',
  agent: 'Apple Support ✔',
} as const;

/** A piece of any of them. */
export const CLAIMS = /[✔✅]|Refund to you|250\.00|Stripe Payments|Apple Support/;
