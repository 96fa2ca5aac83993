import type { MemoPolicy, Network, PayeeBinding, Rail } from '@payassent/protocol';
import type { Payee } from '@payassent/protocol/records';
import type { Sql } from '../../db/open.ts';

export function payeeView(row: PayeeRow): Payee {
  return {
    recipient_id: row.recipient_id,
    recipient_version_id: row.recipient_version_id,
    name: row.name,
    domain: row.domain,
    verified: true,
    binding: row.binding,
    evidence_digest: row.evidence_digest,
    payment: {
      rail: row.rail,
      network: row.network,
      asset: row.asset,
      to: row.address,
      decimals: row.decimals,
      ...(row.contract === null ? {} : { contract: row.contract }),
      ...(row.issuer === null ? {} : { issuer: row.issuer }),
      ...(row.chain_id === null ? {} : { chain_id: row.chain_id }),
      ...(row.memo === null ? {} : { memo: row.memo }),
      ...(row.memo_policy === 'request' ? { memo_policy: 'request' } : {}),
    },
    activated_at: row.activated_at.toISOString(),
  };
}

/** Undefined when it is not active, not on one of these networks, or not of this merchant. */
export async function findActivePayee(
  sql: Sql,
  merchantId: string,
  recipientId: string,
  networks: readonly Network[],
): Promise<Payee | undefined> {
  const [row] = await selectPayees(sql, { merchantId, networks, recipientId, limit: 1 });
  return row && payeeView(row);
}

interface PayeeRow {
  recipient_id: string;
  recipient_version_id: string;
  name: string;
  domain: string;
  binding: PayeeBinding;
  evidence_digest: string;
  rail: Rail;
  network: Network;
  asset: string;
  address: string;
  decimals: number;
  contract: string | null;
  issuer: string | null;
  chain_id: number | null;
  memo: string | null;
  memo_policy: MemoPolicy;
  activated_at: Date;
}

interface PayeeFilter {
  merchantId: string;
  networks: readonly Network[];
  recipientId?: string | undefined;
  asset?: string | undefined;
  /** Part of name or domain. */
  words?: string | undefined;
  /** Only payees after this position in the order of names. */
  after?: { name: string; recipientId: string } | undefined;
  limit: number;
}

/** Payees in the form that a create needs: active, with their version and its evidence. */
export function selectPayees(sql: Sql, filter: PayeeFilter): Promise<PayeeRow[]> {
  const { merchantId, networks, recipientId, asset, words, after, limit } = filter;
  return sql<PayeeRow[]>`
    select p.recipient_id, v.recipient_version_id, v.name, e.domain, e.binding, e.evidence_digest, v.rail, v.network,
           v.asset, v.address, v.decimals, v.contract, v.issuer, v.chain_id, v.memo, v.memo_policy,
           v.activated_at
    from recipients p
      join recipient_versions v on v.recipient_version_id = p.active_version_id
      join recipient_evidence e on e.evidence_id = v.evidence_id
    where p.merchant_id = ${merchantId} and p.status = 'active' and v.network = any(${[...networks]}::text[])
      ${recipientId === undefined ? sql`` : sql`and p.recipient_id = ${recipientId}`}
      ${asset === undefined ? sql`` : sql`and v.asset = ${asset}`}
      ${
        words === undefined
          ? sql``
          : sql`and (strpos(lower(v.name), lower(${words})) > 0 or strpos(lower(e.domain), lower(${words})) > 0)`
      }
      ${
        after === undefined
          ? sql``
          : sql`and (v.name collate "C", p.recipient_id) > (${after.name} collate "C", ${after.recipientId})`
      }
    order by v.name collate "C", p.recipient_id
    limit ${limit}`;
}
