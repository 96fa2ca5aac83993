import { isMuxedStellarAddress } from '../addresses/stellar.ts';
import { PAYMENT_FACT_NAMES, type PaymentFacts, type Sha256Hex, sha256Hex } from '../digests.ts';
import { canonicalJson } from '../encoding/canonical-json.ts';
import type { Network } from '../enumerations.ts';
import { isHashMemo } from './memo.ts';
import { networkRow } from './table.ts';
import type { NetworkRow } from './types.ts';

/** Whom a memo is for, next to the payment itself. */
export type MemoSubject = { connection_id: string } & ({ request_id: string } | { agent_payment_id: string });

/** Without vowels, so that no memo reads like a word. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ0123456789';
const TEXT_LENGTH = 12;

/** Why payments to this address cannot each carry a separate memo; undefined where they can. */
export function requestMemoProblem(row: NetworkRow, address: string | undefined): string | undefined {
  const { memo } = row;
  if (memo.kind === 'none' || (memo.kind === 'text' && memo.maxBytes < TEXT_LENGTH))
    return `Payments on ${row.title} cannot carry a memo for each request.`;
  if (row.addressKind === 'stellar' && address !== undefined && isMuxedStellarAddress(address))
    return 'A muxed address (M…) already carries an id, so that its payments carry no memo.';
  return undefined;
}

/** On Stellar the memo is a hash, which no other payment has; elsewhere it is short, and has to be reserved. */
export function hasUniqueRequestMemo(network: Network): boolean {
  return networkRow(network).addressKind === 'stellar';
}

/**
 * The memo of one request: made of its pinned details and its name, so that it is the same wherever it is computed. A
 * further `attempt` gives another one, where a short memo is taken.
 */
export function requestMemo(
  facts: PaymentFacts,
  subject: MemoSubject,
  attempt = 0,
  sha256: Sha256Hex = sha256Hex,
): string {
  const row = networkRow(facts.network);
  const pinned = PAYMENT_FACT_NAMES.filter(
    (name) => name !== 'memo' && facts[name] !== undefined && facts[name] !== null,
  ).map((name) => [name, facts[name]]);
  const further = attempt === 0 ? {} : { attempt };
  const digest = sha256(canonicalJson({ ...Object.fromEntries(pinned), ...subject, ...further }));
  if (row.addressKind === 'stellar') return digest;
  const number = BigInt(`0x${digest}`);
  return row.memo.kind === 'number' ? BigInt.asUintN(row.memo.bits, number).toString() : lettersOf(number);
}

function lettersOf(number: bigint): string {
  const base = BigInt(LETTERS.length);
  let text = '';
  for (let rest = number; text.length < TEXT_LENGTH; rest /= base) text += LETTERS[Number(rest % base)];
  return text;
}

/** `payment.memo_type`: only the hash memos of Stellar are no text. */
export function memoTypeOf(network: Network, memo: string | null | undefined): 'hash' | undefined {
  return networkRow(network).addressKind === 'stellar' && isHashMemo(memo) ? 'hash' : undefined;
}
