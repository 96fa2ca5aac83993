import { isHashMemo } from '@payassent/protocol';

/** Kinds of memo that are not text. A text that looks like one of them is marked, so that no two memos read alike. */
const MARKED = /^(id|hash|return|bytes|text):/;

/** A text memo as it stands in a record. */
export function memoOfText(text: string): string {
  return MARKED.test(text) ? `text:${text}` : text;
}

/** A text memo whose bytes may be no text, or one that a database cannot keep. */
export function memoOfBytes(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes('\0')) return memoOfText(text);
  } catch {}
  return `bytes:${Buffer.from(bytes).toString('hex')}`;
}

/** A pinned memo as the chain shows it. Text memos are shorter than a hash. */
export function pinnedMemo(memo: string): string {
  return isHashMemo(memo) ? `hash:${memo}` : memoOfText(memo);
}
