import type { NoteKey } from '@payassent/protocol/log';
import type { Keys } from '../../lib/keys.ts';
import { signingKeys } from '../../signing-keys.ts';

/** The name of the log and of the key that signs for it: where the service is, and that it is its log. */
export function logOrigin(baseUrl: string): string {
  return `${new URL(baseUrl).host}/log`;
}

export function logKey(baseUrl: string, keys: Keys): NoteKey {
  return { name: logOrigin(baseUrl), kind: 'signature', publicKey: signingKeys(keys).log.publicKey };
}
