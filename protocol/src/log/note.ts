import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { decodeBase64, encodeBase64 } from '../encoding/base64.ts';
import { ed25519PublicKey, signEd25519, verifyEd25519Strict } from '../proofs/ed25519.ts';
import { equal } from './merkle.ts';

/** Signed notes as C2SP signed-note has them, with plain Ed25519 signatures and timestamped cosignatures. */
const ED25519 = 0x01;
const COSIGNATURE = 0x04;
const KEY_ID_BYTES = 4;
const TIMESTAMP_BYTES = 8;
/** More than any log has witnesses; a longer note is not read. */
const MAX_SIGNATURES = 64;

/** A signer by name and key, which a reader must know in advance. */
export interface NoteKey {
  readonly name: string;
  readonly kind: 'signature' | 'cosignature';
  readonly publicKey: Uint8Array;
}

interface SignedNote {
  /** With its final line end. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

interface NoteSignature {
  readonly name: string;
  readonly keyId: Uint8Array;
  readonly signature: Uint8Array;
}

function noteKeyId({ name, kind, publicKey }: NoteKey): Uint8Array {
  return sha256(concatBytes(utf8ToBytes(`${name}\n`), typed(kind, publicKey))).subarray(0, KEY_ID_BYTES);
}

/** The key as one line of text: `<name>+<key id>+<type and key>`. */
export function formatVerifierKey(key: NoteKey): string {
  return `${key.name}+${bytesToHex(noteKeyId(key))}+${encodeBase64(typed(key.kind, key.publicKey))}`;
}

export function parseVerifierKey(text: string): NoteKey | undefined {
  const [, name = '', id = '', encoded = ''] =
    /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(text) ?? [];
  const bytes = decodeBase64(encoded);
  const kind = bytes?.[0] === ED25519 ? 'signature' : bytes?.[0] === COSIGNATURE ? 'cosignature' : undefined;
  if (!bytes || !kind || bytes.length !== 33) return undefined;
  const key: NoteKey = { name, kind, publicKey: bytes.subarray(1) };
  return bytesToHex(noteKeyId(key)) === id ? key : undefined;
}

/** The line that a signer adds to a note. */
export function signNote(text: string, name: string, seed: Uint8Array): string {
  const key: NoteKey = { name, kind: 'signature', publicKey: ed25519PublicKey(seed) };
  return signatureLine(name, concatBytes(noteKeyId(key), signEd25519(utf8ToBytes(text), seed)));
}

/** The line that a witness adds to a checkpoint. */
export function cosignNote(text: string, name: string, seed: Uint8Array, timestampS: number): string {
  const key: NoteKey = { name, kind: 'cosignature', publicKey: ed25519PublicKey(seed) };
  const signature = signEd25519(cosignedMessage(text, BigInt(timestampS)), seed);
  return signatureLine(name, concatBytes(noteKeyId(key), bigEndian(BigInt(timestampS)), signature));
}

/** A note is its text, an empty line, and the lines of its signers. */
export function formatNote(text: string, lines: readonly string[]): string {
  return `${text}\n${lines.join('')}`;
}

export function parseNote(note: string): SignedNote | undefined {
  const at = note.lastIndexOf('\n\n');
  if (at < 0 || /[\u0000-\u0009\u000b-\u001f]/.test(note)) return undefined;
  const lines = note.slice(at + 2).split('\n');
  if (lines.pop() !== '' || lines.length === 0 || lines.length > MAX_SIGNATURES) return undefined;
  const signatures: NoteSignature[] = [];
  for (const line of lines) {
    const [, name = '', encoded = ''] = /^— ([^\s+]+) ([A-Za-z0-9+/]+=*)$/.exec(line) ?? [];
    const bytes = decodeBase64(encoded);
    if (!bytes || bytes.length <= KEY_ID_BYTES) return undefined;
    signatures.push({
      name,
      keyId: bytes.subarray(0, KEY_ID_BYTES),
      signature: bytes.subarray(KEY_ID_BYTES),
    });
  }
  return { text: note.slice(0, at + 1), signatures };
}

/**
 * Which of the known keys signed. Signatures of unknown keys are passed over; one of a known key that does not verify
 * makes the whole note unacceptable: undefined.
 */
export function verifiedSigners(note: SignedNote, keys: readonly NoteKey[]): NoteKey[] | undefined {
  const signers = new Set<NoteKey>();
  for (const { name, keyId, signature } of note.signatures) {
    const key = keys.find((known) => known.name === name && equal(noteKeyId(known), keyId));
    if (!key) continue;
    if (!isSignedBy(key, note.text, signature)) return undefined;
    signers.add(key);
  }
  return [...signers];
}

function isSignedBy({ kind, publicKey }: NoteKey, text: string, signature: Uint8Array): boolean {
  if (kind === 'signature') return verifyEd25519Strict(publicKey, utf8ToBytes(text), signature);
  if (signature.length < TIMESTAMP_BYTES) return false;
  const timestamp = BigInt(`0x${bytesToHex(signature.subarray(0, TIMESTAMP_BYTES))}`);
  const message = cosignedMessage(text, timestamp);
  return verifyEd25519Strict(publicKey, message, signature.subarray(TIMESTAMP_BYTES));
}

function cosignedMessage(text: string, timestampS: bigint): Uint8Array {
  return utf8ToBytes(`cosignature/v1\ntime ${timestampS}\n${text}`);
}

function bigEndian(value: bigint): Uint8Array {
  const bytes = new Uint8Array(TIMESTAMP_BYTES);
  new DataView(bytes.buffer).setBigUint64(0, value);
  return bytes;
}

function typed(kind: NoteKey['kind'], publicKey: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(kind === 'signature' ? ED25519 : COSIGNATURE), publicKey);
}

function signatureLine(name: string, bytes: Uint8Array): string {
  if (!/^[^\s+]+$/.test(name)) throw new TypeError('The name of a key has neither blanks nor plus signs.');
  return `— ${name} ${encodeBase64(bytes)}\n`;
}
