import type { Sql } from '../../db/open.ts';
import { AppError } from '../../errors.ts';
import type {
  AdminPrincipal,
  ApiKeyPrincipal,
  ConnectionPrincipal,
  MerchantPrincipal,
  WalletPrincipal,
} from '../../principals.ts';

/** Who may call the second surface. */
export type ProjectPrincipal = ApiKeyPrincipal | AdminPrincipal | MerchantPrincipal | WalletPrincipal;

export interface ProjectCaller {
  principal: ProjectPrincipal;
  /** An API key that came with a human credential. */
  companion: ApiKeyPrincipal | undefined;
}

/** Who may read there: also an agent within a connection. */
export interface ProjectReader extends Pick<ProjectCaller, 'companion'> {
  principal: ProjectPrincipal | ConnectionPrincipal;
}

/**
 * The records a caller sees: a connection token its connection's, a key its agent's, a team member the merchant's, a
 * device its wallet's.
 */
export type Reach =
  | { kind: 'connection'; merchantId: string; connectionId: string }
  | { kind: 'agent'; merchantId: string; agentId: string }
  | { kind: 'merchant'; merchantId: string }
  /** With a merchant: only its records with this one. */
  | { kind: 'wallet'; walletId: string; merchantId?: string };

export function reachOf({ principal }: ProjectReader): Reach {
  switch (principal.kind) {
    case 'connection':
      return { kind: 'connection', merchantId: principal.merchantId, connectionId: principal.connectionId };
    case 'api_key':
      return { kind: 'agent', merchantId: principal.merchantId, agentId: principal.agentId };
    case 'admin':
    case 'merchant':
      return { kind: 'merchant', merchantId: principal.merchantId };
    case 'wallet':
      return { kind: 'wallet', walletId: principal.walletId };
  }
}

/** The tenant filter of every statement here; the table that carries the owner has the alias `o`. */
export function inReach(sql: Sql, reach: Reach) {
  switch (reach.kind) {
    case 'connection':
      return sql`(o.merchant_id = ${reach.merchantId} and o.connection_id = ${reach.connectionId})`;
    case 'agent':
      return sql`(o.merchant_id = ${reach.merchantId} and o.agent_id = ${reach.agentId})`;
    case 'merchant':
      return sql`o.merchant_id = ${reach.merchantId}`;
    case 'wallet':
      return reach.merchantId === undefined
        ? sql`o.wallet_id = ${reach.walletId}`
        : sql`(o.merchant_id = ${reach.merchantId} and o.wallet_id = ${reach.walletId})`;
  }
}

/** Limited to this merchant; a merchant's own caller reaches no other anyway. */
export function withMerchant(reach: Reach, merchantId: string | undefined): Reach {
  return reach.kind === 'wallet' && merchantId !== undefined ? { ...reach, merchantId } : reach;
}

/**
 * A wallet belongs to no merchant, so whether a key sent with it is of the same merchant can only be checked by the
 * record.
 */
export function refuseForeignKey({ companion }: Pick<ProjectCaller, 'companion'>, merchantId: string): void {
  if (companion && companion.merchantId !== merchantId) throw new AppError('unauthenticated');
}
