import type { Sql, Tx } from '../../db/open.ts';
import { addMs } from '../../lib/clock.ts';
import { KEPT_ENDED_TOKENS } from '../callers/ended-tokens.ts';

export interface LivingToken {
  connection_id: string;
  generation: number;
  /** Null when the token cannot be handed out again: a shared one that was used, or one from before own tokens were kept. */
  seed: Uint8Array | null;
  key_id: string;
  /** A wallet has seen it. */
  is_shared: boolean;
}

export async function insertToken(
  tx: Tx,
  token: {
    merchantId: string;
    connectionId: string;
    generation: number;
    seed: Uint8Array;
    keyId: string;
    tokenHash: string;
    isShared: boolean;
  },
  now: Date,
): Promise<void> {
  await tx`
    insert into connection_tokens (token_hash, merchant_id, connection_id, generation, seed, key_id, is_shared, created_at)
    values (${token.tokenHash}, ${token.merchantId}, ${token.connectionId}, ${token.generation},
            ${Buffer.from(token.seed)}, ${token.keyId}, ${token.isShared}, ${now})`;
}

/** The one token of the connection that has not been superseded. */
export async function findLivingToken(sql: Sql, connectionId: string): Promise<LivingToken | undefined> {
  const [row] = await sql<LivingToken[]>`
    select connection_id, generation, seed, key_id, is_shared from connection_tokens
    where connection_id = ${connectionId} and ended_at is null`;
  return row;
}

export async function endLivingToken(tx: Tx, connectionId: string, now: Date): Promise<number> {
  const [row] = await tx<{ generation: number }[]>`
    update connection_tokens set ended_at = ${now}, seed = null
    where connection_id = ${connectionId} and ended_at is null
    returning generation`;
  return row?.generation ?? 0;
}

/**
 * Superseded hashes stay, so that rotated and revoked can be told apart: the newest ten as long as the connection, the
 * others for a week. An older one is unknown.
 */
export async function forgetOldTokens(
  tx: Tx,
  connectionId: string,
  generation: number,
  now: Date,
): Promise<void> {
  await tx`
    delete from connection_tokens
    where connection_id = ${connectionId} and generation < ${generation - KEPT_ENDED_TOKENS.count}
      and ended_at < ${addMs(now, -KEPT_ENDED_TOKENS.forMs)}`;
}
