import { createHash } from 'node:crypto';
import { ed25519PublicKey } from '@payassent/protocol';
import { type Database, transaction } from '../db/open.ts';
import type { Keys } from '../lib/keys.ts';

/** What the service signs: each has a separate key, derived from the master key. */
export const SIGNING_USES = ['evidence', 'log', 'webhook'] as const;
export type SigningUse = (typeof SIGNING_USES)[number];

export interface SigningKey {
  kid: string;
  seed: Uint8Array;
  publicKey: Uint8Array;
}

/** The keys for new signatures. Nothing is ever signed again, so previous ones are not needed. */
export type SigningKeys = Record<SigningUse, SigningKey> & { masterKeyId: string };

export function deriveSigningKeys(keys: Keys): SigningKeys {
  return {
    evidence: derive(keys, 'evidence'),
    log: derive(keys, 'log'),
    webhook: derive(keys, 'webhook'),
    masterKeyId: keys.currentKeyId,
  };
}

function derive(keys: Keys, use: SigningUse): SigningKey {
  const seed = keys.mac(`${use}-signing`, keys.currentKeyId, 'ed25519');
  const publicKey = ed25519PublicKey(seed);
  const fingerprint = createHash('sha256').update(publicKey).digest('hex').slice(0, 16);
  return { kid: `${use}_${fingerprint}`, seed, publicKey };
}

/**
 * Stores the public keys before anything is signed with them. The service itself can only read them: no call can delete
 * a previous key, under which bundles and checkpoints are verified for good.
 */
export async function publishSigningKeys(owner: Database, current: SigningKeys, now: Date): Promise<void> {
  const kids = SIGNING_USES.map((use) => current[use].kid);
  await transaction(owner, async (tx) => {
    for (const use of SIGNING_USES)
      await tx`
        insert into signing_keys (kid, use, public_key, master_key_id, created_at)
        values (${current[use].kid}, ${use}, ${Buffer.from(current[use].publicKey)}, ${current.masterKeyId}, ${now})
        on conflict do nothing`;
    await tx`update signing_keys set retired_at = ${now} where kid <> all(${kids}) and retired_at is null`;
    await tx`update signing_keys set retired_at = null where kid = any(${kids}) and retired_at is not null`;
  });
}
