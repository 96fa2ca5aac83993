import type { Act } from '../../act.ts';
import type { Sql, Tx } from '../../db/open.ts';
import { AppError, notFound } from '../../errors.ts';
import { addMs } from '../../lib/clock.ts';
import { hashSecret, type Keys } from '../../lib/keys.ts';
import type { AgentPrincipal, WalletPrincipal } from '../../principals.ts';
import { audit } from '../audit/record.ts';
import { deriveConnectionToken } from '../callers/connection-token.ts';
import { KEPT_ENDED_TOKENS } from '../callers/device-token.ts';
import { connectionTopic } from '../callers/topics.ts';
import { findConnection, lockConnection } from './connection-sql.ts';
import type { ConnectionRow } from './view.ts';

const SEED_BYTES = 32;

/** `isShared`: a wallet is shown it. */
export async function issueToken(
  tx: Tx,
  act: Act,
  keys: Keys,
  { merchantId, connectionId }: { merchantId: string; connectionId: string },
  { generation, isShared }: { generation: number; isShared: boolean },
): Promise<string> {
  const source = {
    connectionId,
    generation,
    seed: act.randomBytes(SEED_BYTES),
    keyId: keys.currentKeyId,
  };
  const token = deriveConnectionToken(keys, source);
  await insertToken(tx, { ...source, merchantId, tokenHash: hashSecret(token), isShared }, act.now);
  return token;
}

/** The current token, if a wallet has seen it and it is unused. */
export async function unusedSharedToken(
  sql: Sql,
  keys: Keys,
  connectionId: string,
): Promise<string | undefined> {
  const row = await findLivingToken(sql, connectionId);
  return row?.is_shared ? derived(keys, row) : undefined;
}

function derived(keys: Keys, row: LivingToken): string | undefined {
  if (!row.seed) return undefined;
  return deriveConnectionToken(keys, {
    connectionId: row.connection_id,
    generation: row.generation,
    seed: row.seed,
    keyId: row.key_id,
  });
}

/** Ends the current token, used or not. */
async function replaceToken(
  tx: Tx,
  act: Act,
  keys: Keys,
  { merchant_id: merchantId, connection_id: connectionId }: ConnectionRow,
  isShared: boolean,
): Promise<{ token: string; generation: number }> {
  const generation = (await endLivingToken(tx, connectionId, act.now)) + 1;
  const token = await issueToken(tx, act, keys, { merchantId, connectionId }, { generation, isShared });
  await forgetOldTokens(tx, connectionId, generation, act.now);
  tx.afterCommit(() => act.announce(connectionTopic(connectionId)));
  return { token, generation };
}

/** By the wallet: the previous token ends when this commits. */
export async function rotateToken(
  tx: Tx,
  act: Act,
  keys: Keys,
  principal: WalletPrincipal,
  connectionId: string,
): Promise<{ connection: ConnectionRow; token: string }> {
  const owner = { kind: 'wallet', walletId: principal.walletId } as const;
  if (!(await lockConnection(tx, owner, connectionId))) throw notFound();
  const connection = await findConnection(tx, owner, connectionId);
  if (!connection) throw notFound();
  if (connection.status === 'revoked') throw new AppError('connection_revoked');
  const { token, generation } = await replaceToken(tx, act, keys, connection, true);
  await audit(tx, act, principal, connection.merchant_id, 'connection.token_rotated', connectionId, {
    generation,
  });
  return { connection, token };
}

/**
 * The agent's own token, the same each time. One that a wallet has seen is replaced, as is one that can no longer be
 * computed: the agent's other processes are then rejected with token_rotated and collect the same new one. Only a
 * replacement is recorded, so that a repeat costs no row.
 */
export async function collectToken(
  tx: Tx,
  act: Act,
  keys: Keys,
  principal: AgentPrincipal,
  connectionId: string,
): Promise<{ connection: ConnectionRow; token: string }> {
  const { merchantId, agentId } = principal;
  const owner = { kind: 'agent', merchantId, agentId } as const;
  // Locked against a rotation, so that a token handed out here is not already superseded.
  if (!(await lockConnection(tx, owner, connectionId))) throw notFound();
  const connection = await findConnection(tx, owner, connectionId);
  if (!connection) throw notFound();
  if (connection.status === 'revoked') throw new AppError('connection_revoked');
  const living = await findLivingToken(tx, connectionId);
  const own = living && !living.is_shared ? derived(keys, living) : undefined;
  if (own !== undefined) return { connection, token: own };
  const { token, generation } = await replaceToken(tx, act, keys, connection, false);
  await audit(
    tx,
    act,
    principal,
    { merchantId, walletId: connection.wallet_id },
    'connection.token_collected',
    connectionId,
    { generation },
  );
  return { connection, token };
}

export interface LivingToken {
  connection_id: string;
  generation: number;
  /**
   * Null when the token cannot be handed out again: a shared one that was used, or one from before own tokens were
   * stored.
   */
  seed: Uint8Array | null;
  key_id: string;
  /** A wallet has seen it. */
  is_shared: boolean;
}

async function insertToken(
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
async function findLivingToken(sql: Sql, connectionId: string): Promise<LivingToken | undefined> {
  const [row] = await sql<LivingToken[]>`
    select connection_id, generation, seed, key_id, is_shared from connection_tokens
    where connection_id = ${connectionId} and ended_at is null`;
  return row;
}

async function endLivingToken(tx: Tx, connectionId: string, now: Date): Promise<number> {
  const [row] = await tx<{ generation: number }[]>`
    update connection_tokens set ended_at = ${now}, seed = null
    where connection_id = ${connectionId} and ended_at is null
    returning generation`;
  return row?.generation ?? 0;
}

/**
 * Superseded hashes stay, so that rotated and revoked can be distinguished: the newest ten as long as the connection,
 * the others for a week. An older one is unknown.
 */
async function forgetOldTokens(tx: Tx, connectionId: string, generation: number, now: Date) {
  await tx`
    delete from connection_tokens
    where connection_id = ${connectionId} and generation < ${generation - KEPT_ENDED_TOKENS.count}
      and ended_at < ${addMs(now, -KEPT_ENDED_TOKENS.forMs)}`;
}
