import type { IssueCode } from '../issues.ts';

/** What a network lets a payer attach so that the payee can distinguish payments. */
export type MemoRule =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly name: string; readonly maxBytes: number }
  | { readonly kind: 'number'; readonly name: string; readonly bits: 32 | 64 };

export const NO_MEMO: MemoRule = { kind: 'none' };

/** The limits are those of the networks themselves; see the table of networks in the documentation. */
export const MEMO_RULES = {
  stellar: { kind: 'text', name: 'text memo', maxBytes: 28 },
  xrpl: { kind: 'number', name: 'destination tag', bits: 32 },
  /** SPL Memo: what fits next to one signature into a transaction. */
  solana: { kind: 'text', name: 'memo', maxBytes: 566 },
  /** One cell of 127 bytes less the four that mark a comment. */
  ton: { kind: 'text', name: 'comment', maxBytes: 123 },
  /** One line of a CIP-20 message. */
  cardano: { kind: 'text', name: 'message', maxBytes: 64 },
  /** The parameter `max_memo_characters` of the Cosmos Hub, which counts bytes. */
  cosmos: { kind: 'text', name: 'memo', maxBytes: 512 },
  hedera: { kind: 'text', name: 'memo', maxBytes: 100 },
  algorand: { kind: 'text', name: 'note', maxBytes: 1024 },
  internetComputer: { kind: 'number', name: 'memo', bits: 64 },
} as const satisfies Record<string, MemoRule>;

interface MemoProblem {
  readonly code: Extract<IssueCode, 'invalid_format' | 'too_long' | 'too_short'>;
  readonly message: string;
}

export function checkMemo(rule: MemoRule, memo: string, networkTitle: string): MemoProblem | undefined {
  if (rule.kind === 'none') {
    return { code: 'invalid_format', message: `Payments on ${networkTitle} carry no memo; leave it out.` };
  }
  if (memo.length === 0)
    return { code: 'too_short', message: 'The memo is empty; leave it out or fill it in.' };
  return rule.kind === 'text' ? checkText(rule, memo) : checkNumber(rule, memo);
}

function checkText(rule: Extract<MemoRule, { kind: 'text' }>, memo: string): MemoProblem | undefined {
  const bytes = new TextEncoder().encode(memo).length;
  if (bytes <= rule.maxBytes) return undefined;
  return {
    code: 'too_long',
    message: `The ${rule.name} has ${bytes} bytes in UTF-8; at most ${rule.maxBytes} are possible.`,
  };
}

function checkNumber(rule: Extract<MemoRule, { kind: 'number' }>, memo: string): MemoProblem | undefined {
  const largest = 2n ** BigInt(rule.bits) - 1n;
  const isNumber = /^(0|[1-9][0-9]{0,19})$/.test(memo) && BigInt(memo) <= largest;
  if (isNumber) return undefined;
  return {
    code: 'invalid_format',
    message: `The ${rule.name} must be a whole number from 0 to ${largest}, written without leading zeros.`,
  };
}

/** A memo of 64 hex digits is a hash memo of Stellar: a text memo has at most 28 bytes. */
export function isHashMemo(memo: string | null | undefined): memo is string {
  return typeof memo === 'string' && /^[0-9a-f]{64}$/.test(memo);
}

/** For tables: `text ≤ 28 bytes`. */
export function describeMemo(rule: MemoRule): string {
  if (rule.kind === 'none') return 'none';
  return rule.kind === 'text'
    ? `${rule.name}, at most ${rule.maxBytes} bytes`
    : `${rule.name}, number of ${rule.bits} bits`;
}
