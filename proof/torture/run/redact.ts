import { createHash } from 'node:crypto';

const SECRETS =
  /(svc_(?:ml|gr|ms|at|ck|cl|ct|dt|lc|rc|st)_|svc_key_test_)[0-9A-Za-z]{49}|whsec_[A-Za-z0-9+/]{43}=|eyJ[\w-]+\.[\w-]+\.[\w-]+/g;
const CODES = /"code":"([BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4})"/g;

/** Every secret that was ever handed out in the run, in the clear, in memory only. */
export interface IssuedSecrets {
  tokens: Set<string>;
  pairingCodes: Set<string>;
}

export function createIssuedSecrets(): IssuedSecrets {
  return { tokens: new Set(), pairingCodes: new Set() };
}

/** What a response hands out. */
export function collectSecrets(text: string, into: IssuedSecrets): void {
  for (const [secret] of text.matchAll(SECRETS)) if (!secret.startsWith('eyJ')) into.tokens.add(secret);
  for (const [, code = ''] of text.matchAll(CODES)) into.pairingCodes.add(code);
}

/** The log distinguishes secrets without containing them. */
export function redact(text: string): string {
  return text.replace(SECRETS, nameOfSecret);
}

function nameOfSecret(secret: string): string {
  const kind = /^(svc_key_test_|svc_.._|whsec_)/.exec(secret)?.[0] ?? 'jws_';
  return `${kind}#${createHash('sha256').update(secret).digest('hex').slice(0, 16)}`;
}
