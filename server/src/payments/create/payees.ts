import type { MemoPolicy, Network, Rail, RecipientStatus } from '@payassent/protocol';
import type { Sql } from '../../db/open.ts';
import { createMemory } from '../../lib/memory.ts';

/**
 * The details by which a create is checked before it is stored. Details of a version never change, so they may be
 * cached.
 */
export interface PayeeFacts {
  recipient_version_id: string;
  rail: Rail;
  network: Network;
  asset: string;
  address: string;
  memo: string | null;
  memo_policy: MemoPolicy;
  contract: string | null;
  issuer: string | null;
  decimals: number;
  chain_id: number | null;
}

export interface Payee {
  status: RecipientStatus;
  /** Of the active version; null while there is none. */
  facts: PayeeFacts | null;
}

/** Enough for the busiest payees; an evicted one costs its next create one more read. */
const MAX_REMEMBERED = 10_000;

/**
 * The last known active version of each payee. Only a guess: the statement that stores a request joins the payee and
 * accepts nothing but its active version, so a stale guess stores nothing and is read again.
 */
export interface PayeeMemory {
  guess(recipientId: string): PayeeFacts | undefined;
  /** Queries the database; foreign and absent are the same. */
  look(sql: Sql, merchantId: string, recipientId: string): Promise<Payee | undefined>;
}

export function createPayeeMemory(): PayeeMemory {
  const remembered = createMemory<PayeeFacts>(MAX_REMEMBERED);
  return {
    guess: (recipientId) => remembered.get(recipientId),
    async look(sql, merchantId, recipientId) {
      const [row] = await sql<(PayeeFacts & { status: Payee['status'] })[]>`
        select p.status, v.recipient_version_id, v.rail, v.network, v.asset, v.address, v.memo, v.memo_policy, v.contract,
               v.issuer, v.decimals, v.chain_id
        from recipients p left join recipient_versions v on v.recipient_version_id = p.active_version_id
        where p.merchant_id = ${merchantId} and p.recipient_id = ${recipientId}`;
      if (!row) return undefined;
      const { status, ...columns } = row;
      const facts = columns.recipient_version_id === null ? null : columns;
      if (facts && status === 'active') remembered.set(recipientId, facts);
      return { status, facts };
    },
  };
}
