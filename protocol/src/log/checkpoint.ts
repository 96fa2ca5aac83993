import { decodeBase64, encodeBase64 } from '../encoding/base64.ts';
import { verifyInclusion } from './merkle.ts';
import { type NoteKey, parseNote, verifiedSigners } from './note.ts';

/** A log's statement about its tree: C2SP tlog-checkpoint. */
export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Uint8Array;
}

const HASH_BYTES = 32;
const PROOF_HEADER = 'c2sp.org/tlog-proof@v1';
/** A tree of 2^53 entries has proofs of at most 53 hashes. */
const MAX_PROOF_LENGTH = 63;

/** The text that the log signs. */
export function formatCheckpoint({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${encodeBase64(root)}\n`;
}

/** Lines behind the third are extensions, which a reader passes over. */
export function parseCheckpoint(text: string): Checkpoint | undefined {
  const lines = text.split('\n');
  if (lines.pop() !== '' || lines.length < 3 || lines.includes('')) return undefined;
  const [origin = '', sizeText = '', encoded = ''] = lines;
  const size = decimal(sizeText);
  const root = decodeBase64(encoded);
  return size === undefined || root?.length !== HASH_BYTES ? undefined : { origin, size, root };
}

export interface OpenedCheckpoint {
  checkpoint: Checkpoint;
  /** The known witnesses whose cosignature verifies. */
  witnesses: NoteKey[];
}

/** Reads a checkpoint that the log has signed; undefined when it is malformed, of another log, or not signed by it. */
export function openCheckpoint(
  note: string,
  log: NoteKey,
  witnesses: readonly NoteKey[] = [],
): OpenedCheckpoint | undefined {
  const parsed = parseNote(note);
  const checkpoint = parsed && parseCheckpoint(parsed.text);
  const signers = parsed && verifiedSigners(parsed, [log, ...witnesses]);
  if (!checkpoint || !signers?.includes(log) || checkpoint.origin !== log.name) return undefined;
  return { checkpoint, witnesses: signers.filter((signer) => signer !== log) };
}

/** That one entry is in the log, for checking offline: C2SP tlog-proof. */
interface LogProof {
  readonly index: number;
  readonly hashes: readonly Uint8Array[];
  /** The signed checkpoint, verbatim. */
  readonly checkpoint: string;
}

export function formatLogProof({ index, hashes, checkpoint }: LogProof): string {
  const path = hashes.map((hash) => `${encodeBase64(hash)}\n`).join('');
  return `${PROOF_HEADER}\nindex ${index}\n${path}\n${checkpoint}`;
}

export function parseLogProof(text: string): LogProof | undefined {
  const at = text.indexOf('\n\n');
  if (at < 0) return undefined;
  const [header, ...lines] = text.slice(0, at).split('\n');
  if (header !== PROOF_HEADER) return undefined;
  const [place = '', ...path] = lines;
  const index = decimal(/^index (\d+)$/.exec(place)?.[1] ?? '');
  const hashes = path.map((line) => decodeBase64(line));
  if (index === undefined || hashes.length > MAX_PROOF_LENGTH) return undefined;
  if (!hashes.every((hash): hash is Uint8Array => hash?.length === HASH_BYTES)) return undefined;
  return { index, hashes, checkpoint: text.slice(at + 2) };
}

/** The checkpoint under which the proof shows the leaf, or undefined when it shows nothing. */
export function verifyLogProof(
  text: string,
  leaf: Uint8Array,
  log: NoteKey,
  witnesses: readonly NoteKey[] = [],
): (OpenedCheckpoint & { index: number }) | undefined {
  const proof = parseLogProof(text);
  const opened = proof && openCheckpoint(proof.checkpoint, log, witnesses);
  if (!opened) return undefined;
  const { size, root } = opened.checkpoint;
  return verifyInclusion(leaf, proof.index, size, proof.hashes, root)
    ? { ...opened, index: proof.index }
    : undefined;
}

/** A number as its one text: no sign, no leading zero. */
function decimal(text: string): number | undefined {
  const value = /^(0|[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) ? value : undefined;
}
