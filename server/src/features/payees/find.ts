import type { Network } from '@payassent/protocol';
import type { Payee } from '@payassent/protocol/records';
import type { Sql } from '../../db/open.ts';
import { type PayeeRow, selectPayees } from './sql.ts';

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
