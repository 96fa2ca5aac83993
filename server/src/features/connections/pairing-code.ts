import { normalisePairingCode } from '@payassent/protocol';
import { equalInConstantTime, type Keys } from '../../lib/keys.ts';

/** A keyed hash: eight letters could be found from a plain one in a dump of the database. */
export function codeMac(keys: Keys, keyId: string, code: string): string {
  return keys.mac('pairing-code', keyId, code).toString('hex');
}

/** `typed` is what a caller sent; anything that is no code at all is simply wrong. */
export function isCodeOf(
  keys: Keys,
  session: { code_mac: string; code_key_id: string },
  typed: string,
): boolean {
  const code = normalisePairingCode(typed);
  return (
    code !== undefined && equalInConstantTime(codeMac(keys, session.code_key_id, code), session.code_mac)
  );
}
