import type { Act } from '../../act.ts';
import type { Sql, Tx } from '../../db/open.ts';
import { AppError, notFound } from '../../errors.ts';
import type { AgentPrincipal, WalletPrincipal } from '../../http/principals.ts';
import { hashSecret, type Keys } from '../../lib/keys.ts';
import { auditActor, recordAudit } from '../audit/record.ts';
import { deriveConnectionToken } from '../callers/connection-token.ts';
import { connectionTopic } from '../callers/topics.ts';
import { findConnection, lockConnection } from './connection-sql.ts';
import { endLivingToken, findLivingToken, forgetOldTokens, insertToken } from './token-sql.ts';
import type { ConnectionRow } from './view.ts';

const SEED_BYTES = 32;

export async function issueToken(
  tx: Tx,
  act: Act,
  keys: Keys,
  { merchantId, connectionId }: { merchantId: string; connectionId: string },
  generation: number,
): Promise<string> {
  const source = {
    connectionId,
    generation,
    seed: act.randomBytes(SEED_BYTES),
    keyId: keys.currentKeyId,
  };
  const token = deriveConnectionToken(keys, source);
  await insertToken(tx, { ...source, merchantId, tokenHash: hashSecret(token) }, act.now);
  return token;
}

/** The current token while it is unused, else undefined. */
export async function unusedToken(sql: Sql, keys: Keys, connectionId: string): Promise<string | undefined> {
  const row = await findLivingToken(sql, connectionId);
  if (!row?.seed) return undefined;
  return deriveConnectionToken(keys, {
    connectionId,
    generation: row.generation,
    seed: row.seed,
    keyId: row.key_id,
  });
}

/** By the wallet: the former token is dead when this commits. */
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
  const generation = (await endLivingToken(tx, connectionId, act.now)) + 1;
  const of = { merchantId: connection.merchant_id, connectionId };
  const token = await issueToken(tx, act, keys, of, generation);
  await forgetOldTokens(tx, connectionId, generation, act.now);
  await recordAudit(tx, act, {
    merchantId: connection.merchant_id,
    type: 'connection.token_rotated',
    actor: auditActor(principal),
    target: { type: 'connection', id: connectionId },
    details: { generation },
  });
  tx.afterCommit(() => act.announce(connectionTopic(connectionId)));
  return { connection, token };
}

/** For the agent: the unused token of an exchange or a rotation whose response was lost. */
export async function collectToken(
  tx: Tx,
  act: Act,
  keys: Keys,
  principal: AgentPrincipal,
  connectionId: string,
): Promise<{ connection: ConnectionRow; token: string }> {
  const { merchantId, agentId } = principal;
  const owner = { kind: 'agent', merchantId, agentId } as const;
  // Held against a rotation, so that a token handed out here is not already superseded.
  if (!(await lockConnection(tx, owner, connectionId))) throw notFound();
  const connection = await findConnection(tx, owner, connectionId);
  if (!connection) throw notFound();
  if (connection.status === 'revoked') throw new AppError('connection_revoked');
  const token = await unusedToken(tx, keys, connectionId);
  if (token === undefined) throw new AppError('nothing_to_collect');
  await recordAudit(tx, act, {
    merchantId,
    walletId: connection.wallet_id,
    type: 'connection.token_collected',
    actor: auditActor(principal),
    target: { type: 'connection', id: connectionId },
  });
  return { connection, token };
}
