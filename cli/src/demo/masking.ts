/** Enough to recognise a secret when it is met again, too little to use it. */
const SHOWN = 4;

/** Everything the service hands out as a secret has one of these openings. */
const TOKEN = /\b(svc_(?:key_test|[a-z]{2})_|whsec_)([0-9A-Za-z+/=_-]+)/g;

/** Members and headers whose value is a secret, or proves the possession of one, without such an opening. */
const SECRET_NAMES = new Set([
  'assertion',
  'authorization',
  'cookie',
  'csrf_token',
  'set-cookie',
  'signature',
  'webhook-signature',
  'x-csrf-token',
]);

/** Shortens every token in a text; the rest stays as it is. */
export function maskText(text: string): string {
  return text.replace(TOKEN, (_, prefix: string, rest: string) => `${prefix}${rest.slice(0, SHOWN)}…`);
}

/** A value of this name: shortened as a whole when the name says that it is secret. */
function maskNamed(name: string, value: string): string {
  const masked = maskText(value);
  if (masked !== value || !SECRET_NAMES.has(name.toLowerCase())) return masked;
  // What comes before the secret itself: a cookie's name, a scheme.
  const opening = /^(?:Bearer |v1,|[a-z_-]+=)?/i.exec(value)?.[0] ?? '';
  return `${opening}${value.slice(opening.length, opening.length + SHOWN)}…`;
}

/** A JSON value with every secret in it shortened. */
export function maskJson(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return maskNamed(name, value);
  if (Array.isArray(value)) return value.map((item) => maskJson(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, maskJson(member, key)]));
}

export function maskHeaders(headers: Iterable<[string, string]>): Record<string, string> {
  return Object.fromEntries([...headers].map(([name, value]) => [name, maskNamed(name, value)]));
}
