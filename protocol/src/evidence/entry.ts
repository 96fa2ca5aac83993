import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
import { canonicalJson, canonicalJsonBytes } from '../encoding/canonical-json.ts';
import { isLogDomain } from './log-domain.ts';

/** What is in the log for everyone to read, so that the owner of a domain sees every payee claimed for it. */
const CLEAR_ENTRY_TYPES = ['payee.activated', 'payee.archived', 'payee.suspended'] as const;
export type ClearEntryType = (typeof CLEAR_ENTRY_TYPES)[number];

/** What the log only commits to: anyone who has salt and content can show that it was there, no one else learns it. */
const COMMITTED_ENTRY_TYPES = ['decision_key', 'decision', 'final'] as const;
export type CommittedEntryType = (typeof COMMITTED_ENTRY_TYPES)[number];

export type EntryType = ClearEntryType | CommittedEntryType;

export const SALT_BYTES = 16;

export interface ClearEntry {
  type: ClearEntryType;
  at: string;
  domain: string;
  evidence_digest: string;
}

export interface CommittedEntry {
  type: CommittedEntryType;
  at: string;
  commitment: string;
}

/** The exact text of an entry that everyone can read. */
export function clearEntryText(
  type: ClearEntryType,
  at: Date,
  facts: Pick<ClearEntry, 'domain' | 'evidence_digest'>,
): string {
  const { domain, evidence_digest } = facts;
  return canonicalJson({ type, at: toSecond(at), domain, evidence_digest } satisfies ClearEntry);
}

/** The exact text of an entry that only commits to its content. */
export function committedEntryText(
  type: CommittedEntryType,
  at: Date,
  salt: Uint8Array,
  content: unknown,
): string {
  return canonicalJson({
    type,
    at: toSecond(at),
    commitment: commitmentTo(salt, content),
  } satisfies CommittedEntry);
}

export function commitmentTo(salt: Uint8Array, content: unknown): string {
  return `sha256:${bytesToHex(sha256(concatBytes(salt, canonicalJsonBytes(content))))}`;
}

export function isClearEntryType(type: string): type is ClearEntryType {
  return (CLEAR_ENTRY_TYPES as readonly string[]).includes(type);
}

function isCommittedEntryType(type: string): type is CommittedEntryType {
  return (COMMITTED_ENTRY_TYPES as readonly string[]).includes(type);
}

const AT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** Reads an entry of ours; undefined for anything that is not exactly one, other spellings included. */
export function parseEntry(text: string): ClearEntry | CommittedEntry | undefined {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { type, at, domain, evidence_digest, commitment } = (read ?? {}) as Record<string, unknown>;
  if (typeof type !== 'string' || typeof at !== 'string' || !AT.test(at)) return undefined;
  const entry = isClearEntryType(type)
    ? typeof domain === 'string' &&
      isLogDomain(domain) &&
      isDigest(evidence_digest) && { type, at, domain, evidence_digest }
    : isCommittedEntryType(type) && isDigest(commitment) && { type, at, commitment };
  return entry && canonicalJson(entry) === text ? entry : undefined;
}

function isDigest(value: unknown): value is string {
  return typeof value === 'string' && DIGEST.test(value);
}

/** The log records seconds, not milliseconds: enough for people, too little to match it with other traffic. */
function toSecond(at: Date): string {
  return `${at.toISOString().slice(0, 19)}Z`;
}
