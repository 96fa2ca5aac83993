import {
  type AllowlistEntry,
  checkAddress,
  type PolicyThreshold,
  SECOND_SURFACE_NETWORK,
} from '@countersign/protocol';
import type { Sql } from '../../db/open.ts';
import { AppError, notFound } from '../../errors.ts';
import { parseMoment } from '../agents/moment.ts';
import type { ActivePayees } from './judge.ts';
import type { Thresholds } from './schema.ts';
import { selectPayees, type ThresholdValues } from './sql.ts';

/** What the input says, laid over what is there. Pins never come from outside, so entries are taken bare. */
export function mergeThresholds(current: ThresholdValues, input: Thresholds): ThresholdValues {
  const { validity_window: window } = input;
  return {
    single_tx_limit: input.single_tx_limit ?? current.single_tx_limit,
    cumulative_limit: input.cumulative_limit ?? current.cumulative_limit,
    valid_from: window ? (parseMoment(window.from) ?? null) : current.valid_from,
    valid_until: window ? (parseMoment(window.until) ?? null) : current.valid_until,
    allowlist: withoutPins(input.allowlist ?? current.allowlist),
  };
}

export const NO_THRESHOLDS: ThresholdValues = {
  single_tx_limit: null,
  cumulative_limit: null,
  valid_from: null,
  valid_until: null,
  allowlist: null,
};

function withoutPins(allowlist: readonly AllowlistEntry[] | null): AllowlistEntry[] | null {
  return allowlist?.map(bareEntry) ?? null;
}

function bareEntry(entry: AllowlistEntry): AllowlistEntry {
  if (entry.address === undefined) return { recipient_id: entry.recipient_id ?? '' };
  const check = checkAddress(SECOND_SURFACE_NETWORK, entry.address);
  return { address: check.ok ? check.address : entry.address };
}

/** Every threshold that keeps the policy from becoming active, in the published order. */
export function missingThresholds(values: ThresholdValues, now: Date): PolicyThreshold[] {
  const { valid_from: from, valid_until: until, allowlist } = values;
  const missing: PolicyThreshold[] = [];
  if (values.single_tx_limit === null) missing.push('single_tx_limit');
  if (values.cumulative_limit === null) missing.push('cumulative_limit');
  if (from === null || until === null || until <= now) missing.push('validity_window');
  if (allowlist === null || allowlist.length === 0) missing.push('allowlist');
  return missing;
}

export function refuseIncomplete(values: ThresholdValues, now: Date): void {
  const missing = missingThresholds(values, now);
  if (missing.length > 0) throw new AppError('policy_incomplete', { details: { missing } });
}

function recipientsOf(allowlist: readonly AllowlistEntry[] | null): string[] {
  return [...new Set((allowlist ?? []).flatMap((entry) => entry.recipient_id ?? []))];
}

/** An allowlist names Recipients of the merchant and nobody else's. */
export async function refuseUnknownRecipients(
  sql: Sql,
  merchantId: string,
  allowlist: readonly AllowlistEntry[] | null | undefined,
): Promise<void> {
  const recipientIds = recipientsOf(allowlist ?? null);
  if (recipientIds.length === 0) return;
  const known = await selectPayees(sql, merchantId, recipientIds);
  if (known.length < recipientIds.length) throw notFound();
}

/** The user accepts each Recipient in the version that is active now; any later version needs another consent. */
export async function pinAllowlist(
  sql: Sql,
  merchantId: string,
  allowlist: readonly AllowlistEntry[] | null,
): Promise<AllowlistEntry[] | null> {
  if (allowlist === null) return null;
  const payees = await activePayees(sql, merchantId, allowlist);
  return allowlist.map((entry) => {
    const { recipient_id: recipientId } = entry;
    if (recipientId === undefined) return entry;
    const payee = payees.get(recipientId);
    if (!payee) throw new AppError('recipient_not_active', { details: { recipient_id: recipientId } });
    return { recipient_id: recipientId, recipient_version_id: payee.versionId };
  });
}

export async function activePayees(
  sql: Sql,
  merchantId: string,
  allowlist: readonly AllowlistEntry[] | null,
): Promise<ActivePayees> {
  const recipientIds = recipientsOf(allowlist);
  const found = new Map<string, { versionId: string; address: string }>();
  if (recipientIds.length === 0) return found;
  for (const row of await selectPayees(sql, merchantId, recipientIds)) {
    if (row.status === 'active' && row.version_id !== null && row.address !== null)
      found.set(row.recipient_id, { versionId: row.version_id, address: row.address });
  }
  return found;
}
