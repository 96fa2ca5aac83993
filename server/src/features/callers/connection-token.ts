import { formatToken, type Scope } from '@payassent/protocol';
import { refuseUnconfirmed, type Sql } from '../../db/open.ts';
import { type AgentSuspension, AppError, refuseSuspendedAgent } from '../../errors.ts';
import type { Keys } from '../../lib/keys.ts';
import type { ConnectionPrincipal } from '../../principals.ts';

/**
 * What the token's row stores while the token can be handed out again. Together with the derived key it yields the
 * token; alone it yields nothing.
 */
interface ConnectionTokenSource {
  connectionId: string;
  generation: number;
  /** 32 random bytes. */
  seed: Uint8Array;
  keyId: string;
}

/**
 * The token is computed, not stored, so that the agent can collect it again. All three parts have a fixed length, hence
 * no separator.
 */
export function deriveConnectionToken(keys: Keys, source: ConnectionTokenSource): string {
  const generation = Buffer.alloc(4);
  generation.writeUInt32BE(source.generation);
  const message = Buffer.concat([Buffer.from(source.connectionId, 'utf8'), generation, source.seed]);
  return formatToken('connection', keys.mac('connection-token', source.keyId, message));
}

/** What the customer approved, limited to what the agent is allowed now. */
export function effectiveScopes(sql: Sql) {
  return sql`array(select s from unnest(c.scopes) with ordinality u(s, n) where s = any(a.allowed_scopes) order by n)`;
}

interface ConnectionTokenRow extends AgentSuspension {
  connection_id: string;
  merchant_id: string;
  agent_id: string;
  wallet_id: string;
  status: 'active' | 'paused' | 'revoked';
  scopes: Scope[];
  agent_status: 'pending' | 'active' | 'suspended' | 'revoked';
  require_proof: boolean;
  is_shared: boolean;
  is_usable: boolean;
  first_used_at: Date | null;
  ended_at: Date | null;
}

export async function findConnectionToken(sql: Sql, tokenHash: string, now: Date) {
  const [row] = await sql<ConnectionTokenRow[]>`
    select c.connection_id, c.merchant_id, c.agent_id, c.wallet_id, c.status, ${effectiveScopes(sql)} as scopes,
           a.status as agent_status, a.require_proof, agent_is_usable(a.agent_id, ${now}) as is_usable, t.first_used_at,
           t.is_shared, t.ended_at, a.suspended_by_installation_at, a.merchant_suspended_at
    from connection_tokens t
      join connections c on c.connection_id = t.connection_id
      join agents a on a.agent_id = c.agent_id
    where t.token_hash = ${tokenHash}`;
  return row;
}

/** Revoked, rotated, not active: in this order, so that a revoked connection never invites to collect a token. */
export function judgeConnectionToken(row: ConnectionTokenRow | undefined): ConnectionPrincipal {
  if (!row) throw new AppError('unauthenticated');
  if (row.status === 'revoked' || row.agent_status === 'revoked') throw new AppError('token_revoked');
  if (row.ended_at) throw new AppError('token_rotated');
  refuseSuspendedAgent(row);
  if (!row.is_usable) throw new AppError('agent_not_active');
  return {
    kind: 'connection',
    merchantId: row.merchant_id,
    agentId: row.agent_id,
    walletId: row.wallet_id,
    connectionId: row.connection_id,
    status: row.status,
    scopes: row.scopes,
    isShared: row.is_shared,
  };
}

/**
 * The first call whose credential check passes completes a pairing. The seed of a shared token is wiped then: it is
 * never handed out again. False when the token was used or superseded meanwhile: then it has to be checked again.
 */
export async function markFirstUse(sql: Sql, tokenHash: string, now: Date): Promise<boolean> {
  refuseUnconfirmed(sql);
  const rows = await sql`
    update connection_tokens set first_used_at = ${now}, seed = case when is_shared then null else seed end
    where token_hash = ${tokenHash} and first_used_at is null and ended_at is null
    returning token_hash`;
  return rows.length > 0;
}
