import {
  type AllowlistEntry,
  checkAddress,
  deriveFacts,
  fitsPrecision,
  fractionDigits,
  type Issue,
  isAmount,
  isNativeAsset,
  networkRow,
  type PolicyThreshold,
  SECOND_SURFACE_NETWORK,
} from '@payassent/protocol';
import type * as api from '@payassent/protocol/api';
import type { BodyOf } from '@payassent/protocol/api';
import { AppError, invalid } from '../../errors.ts';
import { momentIssues, parseMoment } from '../agents/text.ts';
import { misleadingText } from '../merchants/misleading-text.ts';
import type { ThresholdValues } from './sql.ts';

export type PolicyInput = BodyOf<typeof api.createAutomationPolicy>;

export type PolicyChange = BodyOf<typeof api.updateAutomationPolicy>;

/** What PATCH may change and POST may include. */
type Thresholds = Pick<PolicyInput, 'single_tx_limit' | 'cumulative_limit' | 'validity_window' | 'allowlist'>;

export type EvaluateInput = BodyOf<typeof api.evaluateAutomationPolicy>;

const NETWORK = networkRow(SECOND_SURFACE_NETWORK);

export function checkPolicyInput(body: Partial<PolicyInput>): Issue[] {
  return [...assetIssues(body), ...thresholdIssues(body)];
}

export function checkPolicyChange(body: Partial<PolicyChange>): Issue[] {
  return thresholdIssues(body);
}

/** A change that changes nothing is a mistake, and must not raise the version or end a consent. */
export function refuseEmptyChange(body: PolicyChange): void {
  if (Object.keys(body).some((member) => member !== 'version')) return;
  throw invalid([
    {
      field: 'body',
      code: 'required',
      message: 'Name what to change: single_tx_limit, cumulative_limit, validity_window or allowlist.',
    },
  ]);
}

/** The network's rules for an asset and its issuer; a policy has no payee, so rules for the address do not apply. */
function assetIssues({ asset, issuer }: Partial<PolicyInput>): Issue[] {
  if (asset === undefined) return [];
  const derived = deriveFacts({ network: SECOND_SURFACE_NETWORK, asset, issuer, address: '' });
  return derived.ok ? [] : derived.issues.filter((issue) => issue.field !== 'address');
}

function thresholdIssues(body: Partial<Thresholds>): Issue[] {
  return [
    ...amountIssues(body.single_tx_limit, 'single_tx_limit'),
    ...amountIssues(body.cumulative_limit, 'cumulative_limit'),
    ...windowIssues(body.validity_window),
    ...(body.allowlist ?? []).flatMap(entryIssues),
  ];
}

export function amountIssues(amount: string | undefined, field: string): Issue[] {
  if (amount === undefined) return [];
  if (!isAmount(amount)) {
    return [
      {
        field,
        code: 'amount_invalid',
        message: `${field} must be an exact positive decimal such as "12.50": ASCII digits, no sign, no exponent, no leading zeros, at most 335 characters.`,
      },
    ];
  }
  if (fitsPrecision(amount, NETWORK.decimals)) return [];
  return [
    {
      field,
      code: 'amount_precision_exceeded',
      message: `Assets on ${NETWORK.title} allow at most ${NETWORK.decimals} decimal places; ${field} has ${fractionDigits(amount)}.`,
    },
  ];
}

function windowIssues(window: Thresholds['validity_window']): Issue[] {
  if (!window) return [];
  const issues = [
    ...momentIssues(window.from, 'validity_window.from'),
    ...momentIssues(window.until, 'validity_window.until'),
  ];
  const from = parseMoment(window.from);
  const until = parseMoment(window.until);
  if (from && until && until <= from) {
    issues.push({
      field: 'validity_window.until',
      code: 'out_of_range',
      message: 'validity_window.until must be later than validity_window.from.',
    });
  }
  return issues;
}

function entryIssues(
  entry: { recipient_id?: string; address?: string; memo?: string },
  index: number,
): Issue[] {
  const field = `allowlist[${index}]`;
  const choice = destinationIssues({ recipient_id: entry.recipient_id, to: entry.address }, field);
  if (choice.length > 0) return choice;
  const { address, memo } = entry;
  if (address === undefined) return memo === undefined ? [] : [memoOfRecipient(`${field}.memo`)];
  return [...addressIssues(address, `${field}.address`), ...memoIssues(address, memo, `${field}.memo`)];
}

function memoOfRecipient(field: string): Issue {
  return {
    field,
    code: 'payment_fact_forbidden',
    message: 'memo must not be sent with recipient_id: the Recipient fixes it.',
  };
}

/** The network's rules for a memo, and nothing in it that could mislead the customer who reads it. */
function memoIssues(address: string, memo: string | undefined, field: string): Issue[] {
  if (memo === undefined) return [];
  const { nativeAsset: asset = '' } = NETWORK;
  const derived = deriveFacts({ network: SECOND_SURFACE_NETWORK, asset, address, memo });
  const faulty = derived.ok ? [] : derived.issues.filter((issue) => issue.field === 'memo');
  return [...faulty.map((issue) => ({ ...issue, field })), ...misleadingText(memo, field, { address })];
}

/** Exactly one of the two. */
export function destinationIssues(
  named: { recipient_id?: string | undefined; to?: string | undefined },
  field?: string,
): Issue[] {
  const both = named.recipient_id !== undefined && named.to !== undefined;
  const none = named.recipient_id === undefined && named.to === undefined;
  const other = field === undefined ? 'to' : 'address';
  if (both) {
    return [
      {
        field: field === undefined ? other : `${field}.${other}`,
        code: 'payment_fact_forbidden',
        message: `${other} must not be sent with recipient_id: the Recipient fixes it. Send exactly one of the two.`,
      },
    ];
  }
  if (!none) return [];
  const message = `Send exactly one of recipient_id and ${other}.`;
  return [
    { field: field === undefined ? 'recipient_id' : `${field}.recipient_id`, code: 'required', message },
  ];
}

export function addressIssues(address: string | undefined, field: string): Issue[] {
  if (address === undefined) return [];
  const check = checkAddress(SECOND_SURFACE_NETWORK, address);
  return check.ok ? [] : [{ field, code: 'address_invalid', message: check.reason }];
}

/** An address alone identifies no issuer, so only the network's own coin can be sent to it. */
export function nativeAssetIssues(asset: string, field: string): Issue[] {
  if (isNativeAsset(SECOND_SURFACE_NETWORK, asset)) return [];
  return [
    {
      field,
      code: 'unsupported_asset',
      message: `Only ${NETWORK.nativeAsset} can be paid to a plain address; name a Recipient for ${asset}.`,
    },
  ];
}

export function checkEvaluateInput(body: Partial<EvaluateInput>): Issue[] {
  return [
    ...amountIssues(body.amount, 'amount'),
    ...destinationIssues(body),
    ...addressIssues(body.to, 'to'),
  ];
}

/** The stored thresholds with the input's values over them. Pins never come from outside, so entries are taken bare. */
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

/** Every missing threshold that keeps the policy from becoming active, in the published order. */
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
