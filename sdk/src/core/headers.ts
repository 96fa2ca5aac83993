/**
 * Names that only the SDK writes. A custom header of that name is refused before anything is sent: dropping it
 * silently would hide a mistake, sending it would let a stray setting replace a credential.
 */
const RESERVED: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'x-svc-api-key',
  'x-csrf-token',
  'dpop',
  'x-idempotency-key',
  'idempotency-key',
  'content-type',
  'content-length',
  'accept',
  'host',
]);

export function refuseReservedHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (RESERVED.has(name.trim().toLowerCase()))
      throw new TypeError(`The header ${name.trim().toLowerCase()} is written by the SDK and cannot be set`);
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) throw new TypeError('A custom header has no valid name');
    if (typeof value !== 'string' || !/^[\t\x20-\x7e]*$/.test(value))
      throw new TypeError(`The custom header ${name} has a value that cannot be sent`);
  }
}

/** Later sources win, and the SDK's own come last. */
export function mergeHeaders(...sources: Readonly<Record<string, string>>[]): Record<string, string> {
  const merged: Record<string, string> = {};
  for (const source of sources)
    for (const [name, value] of Object.entries(source)) merged[name.toLowerCase()] = value;
  return merged;
}
