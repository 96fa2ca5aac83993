import type { AllowlistEntry, AutomationPolicyStatus, Mover } from '@payassent/protocol';
import { ofMerchant } from '../../db/layout.ts';
import type { Fragment, Sql, Tx } from '../../db/open.ts';
import { mayBecome } from '../../db/status.ts';
import { newestFirst, type PageRead } from '../page.ts';
import { newestOf, partWith, type ReachPart } from '../project-access/owned.ts';
import { inReach, type Reach } from '../project-access/reach.ts';
import type { PayeeNow, Pin } from './pins.ts';
import type { JudgedRow, PolicyRow } from './view.ts';

/**
 * What a payment past its time had reserved no longer counts, whether or not a process has recorded the expiry yet: it
 * can only become expired. Statements that change usage never rely on this; they read the row itself.
 */
function judgedColumns(sql: Sql, now: Date) {
  return sql`
    o.policy_id, o.merchant_id, o.agent_id, o.connection_id, o.wallet_id, o.network, o.asset, o.issuer, o.status,
    o.single_tx_limit, o.cumulative_limit, o.valid_from, o.valid_until, o.allowlist, o.proposed, o.spent,
    o.reserved - coalesce((
      select sum(p.amount::numeric) from agent_payments p
      where p.merchant_id = o.merchant_id and p.policy_id = o.policy_id and p.status = 'intent_created' and p.expires_at < ${now}), 0) as reserved,
    o.opted_in_at, o.version, o.created_at`;
}

function columns(sql: Sql, now: Date) {
  return sql`
    ${judgedColumns(sql, now)}, ${payeesIn(sql, sql`o.allowlist`)} as allowed_payees,
    ${payeesIn(sql, sql`o.proposed`)} as proposed_payees`;
}

/**
 * The pinned versions in a list, readable for a person. Entries without a pin are not shown: they cannot be accepted.
 */
function payeesIn(sql: Sql, list: ReturnType<Sql>) {
  return sql`coalesce((
      select json_agg(json_strip_nulls(json_build_object('memo_policy', nullif(v.memo_policy, 'fixed')))::jsonb
        || jsonb_build_object(
        'recipient_id', v.recipient_id, 'recipient_version_id', v.recipient_version_id, 'name', v.name,
        'address', v.address, 'memo', v.memo, 'domain', e.domain) order by a.position)
      from json_array_elements(${list}) with ordinality as a(entry, position)
        join recipient_versions v
          on v.merchant_id = o.merchant_id and v.recipient_version_id = a.entry->>'recipient_version_id'
        left join recipient_evidence e on e.merchant_id = o.merchant_id and e.evidence_id = v.evidence_id), '[]')`;
}

export async function selectPolicy(
  sql: Sql,
  reach: Reach,
  policyId: string,
  now: Date,
): Promise<PolicyRow | undefined> {
  const part = await partWith(sql, reach, 'automation_policies', policyId);
  const [row] = part ? await selectWhere(part, now, (of) => of`o.policy_id = ${policyId}`) : [];
  return row;
}

/** Policies of a merchant, in the order of their ids. */
export async function selectChanged(
  tx: Tx,
  merchantId: string,
  policyIds: readonly string[],
  now: Date,
): Promise<readonly PolicyRow[]> {
  const part = { sql: ofMerchant(tx, merchantId), reach: { kind: 'merchant', merchantId } } as const;
  return selectWhere(part, now, (of) => of`o.policy_id = any(${[...policyIds]}::id[]) order by o.policy_id`);
}

async function selectWhere(
  { sql, reach }: ReachPart,
  now: Date,
  which: (sql: Sql) => Fragment,
): Promise<readonly PolicyRow[]> {
  return sql<PolicyRow[]>`
    select ${columns(sql, now)} from automation_policies o where ${inReach(sql, reach)} and ${which(sql)}`;
}

/** Only the lock: values read in the same statement could be older than the awaited row. */
export async function lockPolicy(tx: Tx, merchantId: string, policyId: string): Promise<void> {
  await tx`
    select from automation_policies where policy_id = ${policyId} and merchant_id = ${merchantId} for update`;
}

export interface PolicyFilter {
  connectionId: string | undefined;
  /** `open`: active, paused or proposed. */
  status: AutomationPolicyStatus | 'open' | undefined;
}

/**
 * One page and a row more. A policy past its window counts as expired, whether or not a transaction has recorded it
 * yet.
 */
export async function selectPolicies(
  sql: Sql,
  reach: Reach,
  filter: PolicyFilter,
  page: PageRead,
  now: Date,
): Promise<PolicyRow[]> {
  return newestOf(sql, reach, { limit: page.limit, idOf: (row: PolicyRow) => row.policy_id }, (part) =>
    selectWhere(
      part,
      now,
      (of) => of`true
      ${filter.connectionId === undefined ? of`` : of`and o.connection_id = ${filter.connectionId}`}
      ${filter.status === undefined ? of`` : of`and ${hasStatus(of, filter.status, now)}`}
      ${newestFirst(of, page, 'o.policy_id')}`,
    ),
  );
}

function hasStatus(sql: Sql, status: AutomationPolicyStatus | 'open', now: Date) {
  if (status === 'open')
    return sql`(o.status = 'draft' or (o.status in ('active', 'paused') and (o.valid_until <= ${now}) is not true))`;
  if (status === 'active' || status === 'paused')
    return sql`o.status = ${status} and (o.valid_until <= ${now}) is not true`;
  if (status === 'expired')
    return sql`(o.status = 'expired' or (o.status in ('active', 'paused') and o.valid_until <= ${now}))`;
  return sql`o.status = ${status}`;
}

/** The subject of a policy. At most one active policy has the same. */
interface PolicySubject {
  connectionId: string;
  network: string;
  asset: string;
  /** Empty when the asset is native. */
  issuer: string;
}

function about(sql: Sql, subject: PolicySubject) {
  return sql`(o.connection_id = ${subject.connectionId} and o.network = ${subject.network}
    and o.asset = ${subject.asset} and o.issuer = ${subject.issuer})`;
}

/** The policy that governs an intent: the active one, or else the one that ended last. */
export async function selectGoverning(sql: Sql, merchantId: string, subject: PolicySubject, now: Date) {
  const machine = ofMerchant(sql, merchantId);
  const [row] = await machine<JudgedRow[]>`
    select ${judgedColumns(machine, now)} from automation_policies o
    where o.merchant_id = ${merchantId} and ${about(machine, subject)} and o.status in ('active', 'expired')
    order by (o.status = 'active' and o.valid_until > ${now}) desc, o.valid_until desc, o.policy_id desc
    limit 1`;
  return row;
}

export async function findOtherActive(
  tx: Tx,
  merchantId: string,
  policy: { policyId: string } & PolicySubject,
): Promise<string | undefined> {
  const [row] = await tx<{ policy_id: string }[]>`
    select o.policy_id from automation_policies o
    where o.merchant_id = ${merchantId} and ${about(tx, policy)} and o.status = 'active'
      and o.policy_id <> ${policy.policyId}`;
  return row?.policy_id;
}

export interface ThresholdValues {
  single_tx_limit: string | null;
  cumulative_limit: string | null;
  valid_from: Date | null;
  valid_until: Date | null;
  allowlist: readonly AllowlistEntry[] | null;
}

/**
 * Counts no further than `most`. A policy past its window is no longer open, whether or not a transaction has recorded
 * it yet.
 */
export async function countOpenPolicies(
  tx: Tx,
  { merchantId, connectionId }: { merchantId: string; connectionId: string },
  most: number,
  now: Date,
): Promise<number> {
  const rows = await tx`
    select from automation_policies
    where merchant_id = ${merchantId} and connection_id = ${connectionId}
      and status in ('draft', 'active', 'paused') and (status = 'draft' or valid_until > ${now})
    limit ${most}`;
  return rows.length;
}

interface PolicyState extends ThresholdValues {
  status: AutomationPolicyStatus;
  opted_in_at: Date | null;
  proposed: readonly Pin[] | null;
}

/** Guarded by version and status: the row that was checked is the row that changes. The caller has locked it. */
export async function updatePolicy(
  tx: Tx,
  policy: Pick<PolicyRow, 'policy_id' | 'merchant_id' | 'version' | 'status'>,
  state: PolicyState,
  by: Mover,
  now: Date,
): Promise<void> {
  const rows = await tx`
    update automation_policies
    set status = ${state.status}, single_tx_limit = ${state.single_tx_limit},
        cumulative_limit = ${state.cumulative_limit}, valid_from = ${state.valid_from},
        valid_until = ${state.valid_until}, allowlist = ${json(tx, state.allowlist)},
        proposed = ${json(tx, state.proposed)}, opted_in_at = ${state.opted_in_at}, version = version + 1, updated_at = ${now}
    where policy_id = ${policy.policy_id} and merchant_id = ${policy.merchant_id}
      and version = ${policy.version} and status = ${policy.status}
      and ${mayBecome(tx, 'automation_policy', state.status, by, { orIs: true })}
    returning policy_id`;
  if (rows.length === 0) throw new Error('The locked row of a policy changed.');
}

function json(tx: Tx, value: unknown) {
  return value === null ? null : tx.json(value as never);
}

/** The current state of these payees of the merchant. */
export async function selectPayees(
  sql: Sql,
  merchantId: string,
  recipientIds: readonly string[],
): Promise<PayeeNow[]> {
  return sql<PayeeNow[]>`
    select r.recipient_id, r.status, r.active_version_id as version_id from recipients r
    where r.merchant_id = ${merchantId} and r.recipient_id = any(${[...recipientIds]}::text[])`;
}
