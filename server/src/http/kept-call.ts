import type { Approved } from '../act.ts';
import type { Tx } from '../db/open.ts';
import type { MerchantPrincipal } from './principals.ts';

/** A call as it is kept. */
export interface KeptCall {
  /** As the table of roles names it. */
  call: string;
  params: Readonly<Record<string, string>>;
  body: Record<string, unknown>;
}

/** A kept call, to be carried out. */
export interface Order extends KeptCall {
  /** Who asked for it. */
  principal: MerchantPrincipal;
  approval: Approved;
  /** The last step of the transaction that carries it out. */
  beforeCommit(tx: Tx): Promise<void>;
}
