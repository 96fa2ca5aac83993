import { checkAddress } from '../addresses/check-address.ts';
import { isMuxedStellarAddress } from '../addresses/stellar.ts';
import {
  isNetwork,
  type MemoPolicy,
  NETWORKS,
  type Network,
  PAYMENT_DETAILS,
  type Rail,
} from '../enumerations.ts';
import type { Issue } from '../issues.ts';
import { deriveAsset, type Report } from './derive-asset.ts';
import { checkMemo } from './memo.ts';
import { requestMemoProblem } from './request-memo.ts';
import { networkRow } from './table.ts';
import type { NetworkRow } from './types.ts';

type Absent = null | undefined;

/** What a merchant states about a payee; null counts as left out. */
export interface FactsInput {
  readonly network: string;
  readonly asset: string;
  readonly address: string;
  readonly memo?: string | Absent;
  readonly memo_policy?: MemoPolicy | Absent;
  readonly contract?: string | Absent;
  readonly issuer?: string | Absent;
  readonly decimals?: number | Absent;
  readonly chain_id?: number | Absent;
}

/** The complete facts of a payee, as they are stored and pinned. */
export interface DerivedFacts {
  readonly rail: Rail;
  readonly network: Network;
  readonly asset: string;
  readonly address: string;
  readonly memo: string | null;
  /** Absent where the memo, or that there is none, is fixed. */
  readonly memo_policy?: 'request';
  readonly contract: string | null;
  readonly issuer: string | null;
  readonly decimals: number;
  readonly chain_id: number | null;
}

type FactsDerivation = { ok: true; facts: DerivedFacts } | { ok: false; issues: Issue[] };

/** Completes and checks the facts of a payee; reports every problem, not only the first. */
export function deriveFacts(input: FactsInput): FactsDerivation {
  const issues: Issue[] = [];
  const report: Report = (field, code, message) => issues.push({ field, code, message });
  if (!isNetwork(input.network)) {
    report('network', 'invalid_enum', `The network must be one of: ${NETWORKS.join(', ')}.`);
    return { ok: false, issues };
  }
  const row = networkRow(input.network);
  const asset = deriveAsset(
    row,
    {
      asset: input.asset,
      contract: input.contract ?? undefined,
      issuer: input.issuer ?? undefined,
      decimals: input.decimals ?? undefined,
    },
    report,
  );
  const address = deriveAddress(row, input, report);
  checkMemoOf(row, input, address, report);
  checkMemoPolicy(row, input, address, report);
  checkChainId(row, input, report);
  if (asset === undefined || address === undefined || issues.length > 0) {
    issues.sort((left, right) => placeOf(left) - placeOf(right));
    return { ok: false, issues };
  }
  return {
    ok: true,
    facts: {
      rail: asset.rail,
      network: row.network,
      asset: input.asset,
      address,
      memo: input.memo ?? null,
      ...(input.memo_policy === 'request' ? { memo_policy: 'request' as const } : {}),
      contract: asset.contract,
      issuer: asset.issuer,
      decimals: asset.decimals,
      chain_id: row.chainId ?? null,
    },
  };
}

function deriveAddress(row: NetworkRow, input: FactsInput, report: Report): string | undefined {
  const check = checkAddress(row.network, input.address);
  if (check.ok) return check.address;
  report('address', 'address_invalid', check.reason);
  return undefined;
}

function checkMemoOf(row: NetworkRow, input: FactsInput, address: string | undefined, report: Report): void {
  if (input.memo === undefined || input.memo === null) return;
  const problem = checkMemo(row.memo, input.memo, row.title);
  if (problem !== undefined) {
    report('memo', problem.code, problem.message);
  } else if (row.addressKind === 'stellar' && address !== undefined && isMuxedStellarAddress(address)) {
    report('memo', 'invalid_format', 'A muxed address (M…) already carries an id; leave the memo out.');
  }
}

function checkMemoPolicy(
  row: NetworkRow,
  input: FactsInput,
  address: string | undefined,
  report: Report,
): void {
  if (input.memo_policy !== 'request') return;
  const isFixed = input.memo !== undefined && input.memo !== null;
  const problem = isFixed
    ? 'Each request gets a separate memo; leave memo out.'
    : requestMemoProblem(row, address);
  if (problem !== undefined) report('memo_policy', 'invalid_format', problem);
}

function checkChainId(row: NetworkRow, input: FactsInput, report: Report): void {
  if (input.chain_id === undefined || input.chain_id === null || input.chain_id === row.chainId) return;
  const message =
    row.chainId === undefined
      ? `${row.title} has no chain id; leave the field out.`
      : `The chain id of ${row.title} is ${row.chainId}; leave the field out or send that.`;
  report('chain_id', 'fact_mismatch', message);
}

function placeOf({ field }: Issue): number {
  return (PAYMENT_DETAILS as readonly string[]).indexOf(field);
}
