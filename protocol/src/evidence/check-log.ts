import { utf8ToBytes } from '@noble/hashes/utils.js';
import {
  leafHash,
  type NoteKey,
  type OpenedCheckpoint,
  openCheckpoint,
  parseLogProof,
  verifyInclusion,
} from '../log/index.ts';
import { equal } from '../log/merkle.ts';
import type { BundleParts } from './bundle.ts';
import {
  type ClaimOutcome,
  decode,
  expect,
  holds,
  instant,
  lifeOf,
  notClaimed,
  type PublishedKey,
} from './claims.ts';
import {
  type ClearEntry,
  type CommittedEntry,
  commitmentTo,
  type EntryType,
  parseEntry,
  SALT_BYTES,
} from './entry.ts';

export interface LogView {
  origin: string;
  /** When the bundle was put together. */
  asOf: string;
  keys: readonly PublishedKey[];
  witnesses: readonly NoteKey[];
  hasUnknownWitness: boolean;
  checkpoint?: string;
  /** Checkpoints whose signatures have been checked. */
  opened: Map<string, SignedCheckpoint>;
}

interface SignedCheckpoint extends OpenedCheckpoint {
  signer: PublishedKey;
}

/** An entry of the bundle, opened. Without `proof` it waits for its place in the log. */
export interface OpenedEntry {
  entry: ClearEntry | CommittedEntry;
  content: unknown;
  proof: { index: number; size: number; root: Uint8Array; witnesses: NoteKey[] } | undefined;
  /** What is wrong with it. */
  fault: string | undefined;
}

function logKeysOf({ origin, keys }: LogView): { published: PublishedKey; note: NoteKey }[] {
  const name = `${new URL(origin).host}/log`;
  return keys
    .filter(({ use, alg }) => use === 'log' && alg === 'Ed25519')
    .map((published) => ({
      published,
      note: { name, kind: 'signature', publicKey: decode(published.public_key) },
    }));
}

/** Most proofs of a bundle are under one checkpoint. */
function openOnce(log: LogView, note: string): SignedCheckpoint | undefined {
  const known = log.opened.get(note);
  if (known) return known;
  for (const { published, note: key } of logKeysOf(log)) {
    const opened = openCheckpoint(note, key, log.witnesses);
    if (opened) {
      const signed = { ...opened, signer: published };
      log.opened.set(note, signed);
      return signed;
    }
  }
  return undefined;
}

/** A key of the log proves nothing before it was made, and no entry that is later than its retirement. */
function expectAlive(signer: PublishedKey, entry: ClearEntry | CommittedEntry, asOf: string): void {
  const { from, until } = lifeOf(signer);
  expect(from <= instant(asOf), `The key ${signer.kid} of the log was made only after ${asOf}.`);
  expect(
    instant(entry.at) <= until,
    `The ${entry.type} entry of ${entry.at} is proved with ${signer.kid}, retired ${signer.retired_at}.`,
  );
}

export function openEntries(parts: BundleParts, log: LogView): OpenedEntry[] {
  return parts.log.entries.map((bundled) => {
    try {
      return openEntry(bundled, log);
    } catch (error) {
      const fault = error instanceof Error ? error.message : 'It cannot be read.';
      return {
        entry: { type: 'final', at: '', commitment: '' },
        content: undefined,
        proof: undefined,
        fault,
      };
    }
  });
}

function openEntry(bundled: Record<string, unknown>, log: LogView): OpenedEntry {
  const { entry: text, salt, content, proof, pending, ...rest } = bundled;
  expect(Object.keys(rest).length === 0, 'An entry has members of another kind.');
  const entry = typeof text === 'string' ? parseEntry(text) : undefined;
  expect(
    entry !== undefined && typeof text === 'string',
    'An entry is not one of this log, or names a domain in another spelling than lower-case A-labels.',
  );
  if ('commitment' in entry) {
    const saltBytes = decode(salt);
    expect(saltBytes.length === SALT_BYTES, 'A salt has not 16 bytes.');
    expect(
      commitmentTo(saltBytes, content) === entry.commitment,
      `The content of the ${entry.type} entry does not match its commitment.`,
    );
  } else
    expect(
      salt === undefined && content === undefined,
      'An entry in the clear has neither salt nor content.',
    );
  if (proof === undefined) {
    expect(pending === true, 'An entry neither has a proof nor is marked as pending.');
    return { entry, content, proof: undefined, fault: undefined };
  }
  expect(typeof proof === 'string' && pending === undefined, 'A proof is not a text.');
  const read = parseLogProof(proof);
  const opened = read && openOnce(log, read.checkpoint);
  if (read && opened) {
    const { size, root } = opened.checkpoint;
    expectAlive(opened.signer, entry, log.asOf);
    const leaf = leafHash(utf8ToBytes(text));
    if (verifyInclusion(leaf, read.index, size, read.hashes, root)) {
      const { witnesses } = opened;
      return { entry, content, proof: { index: read.index, size, root, witnesses }, fault: undefined };
    }
  }
  throw new Error(`The proof of the ${entry.type} entry does not hold under any published key of the log.`);
}

/** The entries of a type that are sound. */
export function entriesOfType(entries: readonly OpenedEntry[], type: EntryType): OpenedEntry[] {
  return entries.filter(({ entry, fault }) => fault === undefined && entry.type === type);
}

export function checkEntries(entries: readonly OpenedEntry[]): ClaimOutcome {
  if (entries.length === 0) return notClaimed('The bundle has no entries of the log.');
  const faults = entries.flatMap(({ fault }) => fault ?? []);
  expect(faults.length === 0, faults.join(' '));
  const placed = entries.flatMap(({ proof }) => proof ?? []);
  // Two roots of one size are a fork, shown within one document.
  for (const one of placed)
    for (const other of placed)
      expect(one.size !== other.size || equal(one.root, other.root), 'Two proofs show two logs of one size.');
  if (placed.length === 0) return notClaimed('No entry is in the log yet.');
  const waiting = entries.length - placed.length;
  return holds(
    `${placed.length} ${placed.length === 1 ? 'entry is' : 'entries are'} in the log, the last at ${Math.max(...placed.map(({ index }) => index))}${waiting > 0 ? `; ${waiting} not yet` : ''}.`,
  );
}

/** Against a checkpoint that was seen elsewhere. */
export function checkLogKnown(entries: readonly OpenedEntry[], log: LogView): ClaimOutcome {
  const { checkpoint } = log;
  if (checkpoint === undefined) return notClaimed('No checkpoint from elsewhere was given.');
  const opened = logKeysOf(log).flatMap(({ note }) => openCheckpoint(checkpoint, note) ?? [])[0];
  expect(opened !== undefined, 'The checkpoint that was given is not signed by this log.');
  const { size, root } = opened.checkpoint;
  const same = entries.flatMap(({ proof }) => (proof && proof.size === size ? [proof] : []));
  expect(
    same.every((proof) => equal(proof.root, root)),
    'The log showed another root of this size elsewhere: it has forked.',
  );
  return same.length > 0
    ? holds('The proofs and the checkpoint from elsewhere show one log.')
    : notClaimed('The checkpoint from elsewhere is of another size; a monitor compares the two.');
}

export function checkWitnesses(entries: readonly OpenedEntry[], log: LogView): ClaimOutcome {
  if (log.witnesses.length === 0 && !log.hasUnknownWitness) return notClaimed('No witnesses were named.');
  expect(!log.hasUnknownWitness, 'A verifier key of a witness cannot be read.');
  const placed = entries.flatMap(({ proof }) => proof ?? []);
  expect(placed.length > 0, 'No entry is in the log yet.');
  expect(
    placed.every(({ witnesses }) => witnesses.length > 0),
    'A proof carries no cosignature of a named witness.',
  );
  const names = new Set(placed.flatMap(({ witnesses }) => witnesses.map(({ name }) => name)));
  return holds(`Cosigned by ${[...names].join(', ')}.`);
}
