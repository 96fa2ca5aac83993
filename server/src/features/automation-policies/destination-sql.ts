import type { DerivedFacts, MemoPolicy, PayeeBinding, RecipientStatus } from '@payassent/protocol';
import type { Sql } from '../../db/open.ts';

export interface ActiveRecipient extends Omit<DerivedFacts, 'memo_policy'> {
  memo_policy: MemoPolicy;
  status: RecipientStatus;
  /** Null while no version is active; then the facts are null too. */
  recipient_version_id: string | null;
  name: string;
  domain: string;
  evidence_digest: string;
  binding: PayeeBinding;
  activated_at: Date;
  recall_generation: number;
}

export async function selectRecipientNow(
  sql: Sql,
  merchantId: string,
  recipientId: string,
): Promise<ActiveRecipient | undefined> {
  const [row] = await sql<ActiveRecipient[]>`
    select r.status, r.recall_generation, v.recipient_version_id, v.name, v.rail, v.network, v.asset, v.address, v.memo, v.memo_policy, v.contract, v.issuer,
           v.decimals, v.chain_id, v.activated_at, e.domain, e.evidence_digest, e.binding
    from recipients r
      left join recipient_versions v on v.recipient_version_id = r.active_version_id
      left join recipient_evidence e on e.evidence_id = v.evidence_id
    where r.recipient_id = ${recipientId} and r.merchant_id = ${merchantId}`;
  return row;
}
