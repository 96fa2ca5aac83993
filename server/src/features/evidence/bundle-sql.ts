import type { MemoPolicy, PaymentOrigin } from '@payassent/protocol';
import type { Decision } from '@payassent/protocol/records';
import { refuseUnconfirmed, type Sql } from '../../db/open.ts';

/** What both surfaces provide about a payment besides its record. */
export interface PaymentFactsRow {
  merchant_id: string;
  agent_id: string;
  intent_digest: string;
  recipient_version_id: string | null;
  /** As pinned, JSON text. */
  payee: string;
  decision: Decision | null;
  created_with: PaymentOrigin | null;
  created_at: Date;
}

export async function findRequestFacts(
  sql: Sql,
  connectionId: string,
  requestId: string,
): Promise<PaymentFactsRow | undefined> {
  const [connection] = await sql<{ merchant_id: string }[]>`
    select merchant_id from connections where connection_id = ${connectionId}`;
  if (!connection) return undefined;
  const [row] = await sql<PaymentFactsRow[]>`
    select r.merchant_id, r.agent_id, r.intent_digest, r.recipient_version_id, r.payee::text as payee, r.decision,
           r.created_with, r.created_at
    from payment_requests r
    where r.merchant_id = ${connection.merchant_id} and r.request_id = ${requestId}
      and r.connection_id = ${connectionId}`;
  return row;
}

export async function findPaymentFacts(sql: Sql, merchantId: string, paymentId: string) {
  const [row] = await sql<PaymentFactsRow[]>`
    select merchant_id, agent_id, intent_digest, recipient_version_id, payee::text as payee, decision, created_with,
           created_at
    from agent_payments where merchant_id = ${merchantId} and agent_payment_id = ${paymentId}`;
  return row;
}

export interface PayeeProofRow {
  name: string;
  rail: string;
  network: string;
  asset: string;
  address: string;
  memo: string | null;
  memo_policy: MemoPolicy;
  contract: string | null;
  issuer: string | null;
  decimals: number;
  chain_id: number | null;
  evidence_id: string;
  type: 'domain_proof';
  domain: string;
  method: 'dns' | 'https';
  binding: 'payee' | 'domain';
  evidence_digest: string;
  found: string | null;
  resolver: string | null;
  verified_at: Date;
  /** Set when two owners approved the activation of this version with this evidence. */
  approval_id: string | null;
}

/** The pinned version, with the evidence it was based on at that time. */
export async function findPayeeProof(sql: Sql, versionId: string, evidenceDigest: string) {
  const [row] = await sql<PayeeProofRow[]>`
    select v.name, v.rail, v.network, v.asset, v.address, v.memo, v.memo_policy, v.contract, v.issuer, v.decimals, v.chain_id,
           e.evidence_id, e.type, e.domain, e.method, e.binding, e.evidence_digest, e.found, e.resolver,
           e.created_at as verified_at,
           (select p.approval_id from approvals p
            where p.merchant_id = v.merchant_id and p.act = 'recipient.activate' and p.status = 'approved'
              and p.body->>'evidence_id' = e.evidence_id
            order by p.decided_at limit 1) as approval_id
    from recipient_versions v join recipient_evidence e on e.recipient_version_id = v.recipient_version_id
    where v.recipient_version_id = ${versionId} and e.evidence_digest = ${evidenceDigest}
    order by e.evidence_id limit 1`;
  return row;
}

interface AgentKeyRow {
  kid: string;
  public_key: Buffer;
}

/** The newest key that the agent had proved at the time of its request. */
export async function findAgentKey(sql: Sql, agentId: string, at: Date): Promise<AgentKeyRow | undefined> {
  const [row] = await sql<AgentKeyRow[]>`
    select kid, public_key from agent_credentials
    where agent_id = ${agentId} and created_at <= ${at} and challenge_used_at is not null
    order by created_at desc, credential_id desc limit 1`;
  return row;
}

/** Whether a later master key has retired these keys, and since when the newest of them is published. */
export async function readKeyLife(
  sql: Sql,
  kids: readonly string[],
): Promise<{ is_retired: boolean; since: Date }> {
  const [row] = await sql<{ is_retired: boolean; since: Date | null }[]>`
    select coalesce(bool_or(retired_at is not null), true) as is_retired, max(created_at) as since
    from signing_keys where kid = any(${[...kids]}::text[])`;
  return { is_retired: row?.is_retired ?? true, since: row?.since ?? new Date(0) };
}

export async function readFrozen(sql: Sql, subject: string): Promise<string | undefined> {
  const [row] = await sql<{ bundle: string }[]>`
    select bundle from evidence_bundles where subject = ${subject}`;
  return row?.bundle;
}

/** When two callers freeze concurrently, the first counts for both. */
export async function freeze(sql: Sql, subject: string, bundle: string, now: Date): Promise<string> {
  refuseUnconfirmed(sql);
  await sql`
    insert into evidence_bundles (subject, bundle, frozen_at) values (${subject}, ${bundle}, ${now})
    on conflict do nothing`;
  return (await readFrozen(sql, subject)) ?? bundle;
}

export async function findAgentName(sql: Sql, agentId: string): Promise<string> {
  const [row] = await sql<{ name: string }[]>`select name from agents where agent_id = ${agentId}`;
  return row?.name ?? '';
}
