import type { Sql } from '../../db/open.ts';
import { AppError } from '../../errors.ts';
import type {
  AdminPrincipal,
  ApiKeyPrincipal,
  MerchantPrincipal,
  WalletPrincipal,
} from '../../http/principals.ts';

/** Who may call the second surface. */
export type ProjectPrincipal = ApiKeyPrincipal | AdminPrincipal | MerchantPrincipal | WalletPrincipal;

export interface ProjectCaller {
  principal: ProjectPrincipal;
  /** An API key that came with a human credential. */
  companion: ApiKeyPrincipal | undefined;
}

/** Whose records a caller sees: a key its agent's, an operator the merchant's, a device its wallet's. */
export type Reach =
  | { kind: 'agent'; merchantId: string; agentId: string }
  | { kind: 'merchant'; merchantId: string }
  | { kind: 'wallet'; walletId: string };

export function reachOf({ principal }: ProjectCaller): Reach {
  switch (principal.kind) {
    case 'api_key':
      return { kind: 'agent', merchantId: principal.merchantId, agentId: principal.agentId };
    case 'admin':
    case 'merchant':
      return { kind: 'merchant', merchantId: principal.merchantId };
    case 'wallet':
      return { kind: 'wallet', walletId: principal.walletId };
  }
}

/** The tenant filter of every statement here; the table that carries the owner goes by the name `o`. */
export function inReach(sql: Sql, reach: Reach) {
  switch (reach.kind) {
    case 'agent':
      return sql`(o.merchant_id = ${reach.merchantId} and o.agent_id = ${reach.agentId})`;
    case 'merchant':
      return sql`o.merchant_id = ${reach.merchantId}`;
    case 'wallet':
      return sql`o.wallet_id = ${reach.walletId}`;
  }
}

/**
 * A wallet belongs to no merchant, so whether a key beside it is of one merchant with it can be judged only by the
 * record that is meant.
 */
export function refuseForeignKey({ companion }: ProjectCaller, merchantId: string): void {
  if (companion && companion.merchantId !== merchantId) throw new AppError('unauthenticated');
}
