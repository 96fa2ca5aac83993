import { type EffortLimit, isBeyond } from './decode.ts';
import { isPrincipal } from './principal.ts';
import { isTonAt, type ScanFormat, siftRun, TON_LENGTH } from './rules.ts';

const BREAK = 0;
const ALPHANUMERIC = 1;
/** - _ + and /: part of TON addresses and, the hyphen, of principals; a break for every other format. */
const JOINER = 2;

const CLASSES = new Uint8Array(128);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789') {
  CLASSES[character.charCodeAt(0)] = ALPHANUMERIC;
}
for (const character of '-_+/') CLASSES[character.charCodeAt(0)] = JOINER;

const TON: readonly ScanFormat[] = ['ton'];
const INTERNET_COMPUTER: readonly ScanFormat[] = ['internet_computer'];

/**
 * Called with each piece of text that has the checksum of these formats, and its position; returning true ends the
 * scan.
 */
export type OnCandidate = (
  candidate: string,
  formats: readonly ScanFormat[],
  from: number,
  to: number,
) => boolean;

/**
 * Cuts normalised text into runs and calls `onCandidate` for every one that has the checksum of an address. Returns
 * true when it ended before the end of the text: by `onCandidate`, or because it would exceed `limit`.
 */
export function siftText(text: string, limit: EffortLimit, onCandidate: OnCandidate): boolean {
  let runStart = -1;
  let wideStart = -1;
  let hasJoiner = false;
  for (let index = 0; index <= text.length; index += 1) {
    const kind = index < text.length ? classAt(text, index) : BREAK;
    if (kind === ALPHANUMERIC) {
      if (runStart === -1) runStart = index;
      if (wideStart === -1) wideStart = index;
      continue;
    }
    if (runStart !== -1) {
      const formats = siftRun(text, runStart, index);
      if (formats !== undefined && onCandidate(text.slice(runStart, index), formats, runStart, index))
        return true;
      if (isBeyond(limit)) return true;
      runStart = -1;
    }
    if (kind === JOINER) {
      if (wideStart === -1) wideStart = index;
      hasJoiner = true;
      continue;
    }
    if (hasJoiner && siftWideRun(text, wideStart, index, onCandidate)) return true;
    wideStart = -1;
    hasJoiner = false;
  }
  return false;
}

/**
 * Checks for the two formats that contain joiners: a principal must be the whole run; TON may also begin and end inside
 * it, as in "ton://transfer/EQ…". Principals that are a part of the run, as in "pay-ryjl3-…", are found among the
 * joined pieces.
 */
function siftWideRun(text: string, start: number, end: number, onCandidate: OnCandidate): boolean {
  if (isPrincipal(text, start, end) && onCandidate(text.slice(start, end), INTERNET_COMPUTER, start, end))
    return true;
  for (let at = start; at < end; at += 1) {
    const isBeginning = at === start || classAt(text, at - 1) === JOINER;
    if (!isBeginning || classAt(text, at) !== ALPHANUMERIC) continue;
    if (endsAt(text, at + TON_LENGTH, end) && isTonAt(text, at)) {
      if (onCandidate(text.slice(at, at + TON_LENGTH), TON, at, at + TON_LENGTH)) return true;
    }
  }
  return false;
}

function endsAt(text: string, index: number, end: number): boolean {
  return index === end || (index < end && classAt(text, index) === JOINER);
}

function classAt(text: string, index: number): number {
  return CLASSES[text.charCodeAt(index)] ?? BREAK;
}
