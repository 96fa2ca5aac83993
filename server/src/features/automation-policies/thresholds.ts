import {
  type AllowlistEntry,
  checkAddress,
  type PolicyThreshold,
  SECOND_SURFACE_NETWORK,
} from '@payassent/protocol';
import { AppError } from '../../errors.ts';
import { parseMoment } from '../agents/moment.ts';
import type { Thresholds } from './schema.ts';
import type { ThresholdValues } from './sql.ts';

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
  const address = check.ok ? check.address : entry.address;
  return entry.memo === undefined ? { address } : { address, memo: entry.memo };
}

/** Every threshold that keeps the policy from becoming active, in the published order. */
function missingThresholds(values: ThresholdValues, now: Date): PolicyThreshold[] {
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
