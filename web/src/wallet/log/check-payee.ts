import { decodeBase64Url, factsDigest } from '@payassent/protocol';
import { type PublishedKey, parseEntry, verifyEvidence } from '@payassent/protocol/evidence';
import {
  type Checkpoint,
  openCheckpoint,
  parseLogProof,
  type ReadTile,
  readConsistency,
  verifyConsistency,
} from '@payassent/protocol/log';
import type { EvidenceBundle } from '@payassent/sdk';
import type { Payment } from '../payments/payment.ts';

/** What this device remembers of the log: the keys it saw first, and the largest tree that was shown to it. */
export interface KnownLog {
  origin: string;
  keys: readonly PublishedKey[];
  size: number;
  root: Uint8Array;
}

export interface LogTools {
  evidence(payment: Payment): Promise<EvidenceBundle>;
  /** The keys that the service publishes now. */
  keys(): Promise<readonly PublishedKey[]>;
  readTile: ReadTile;
  known(): Promise<KnownLog | undefined>;
  keep(known: KnownLog): Promise<void>;
}

export type PayeeCheck =
  /** Verified here, in the same log that this wallet has always been shown. */
  | { state: 'verified'; since: string }
  | { state: 'not_logged' | 'unreachable' }
  /** Signed with a key that this wallet does not know. */
  | { state: 'new_key' }
  /** The log does not begin with what this wallet was shown before. */
  | { state: 'forked' }
  /** The evidence bundle is not about the payee that is drawn, or does not verify. */
  | { state: 'broken'; why: string };

/** Whether the payee that is drawn is in the transparency log, verified on this device alone. */
export async function checkPayee(tools: LogTools, payment: Payment): Promise<PayeeCheck> {
  if (payment.payee?.isMisspelled)
    return { state: 'broken', why: 'The domain is not written in lower-case A-labels.' };
  let read: Awaited<ReturnType<typeof readAll>>;
  try {
    read = await readAll(tools, payment);
  } catch {
    return { state: 'unreachable' };
  }
  const { bundle, known, published } = read;
  const keys = known?.keys ?? published;
  const claims = claimsOf(bundle, keys);
  const fault = NEEDED.map((claim) => claims.get(claim)).find((claim) => claim?.status === 'broken');
  if (fault !== undefined) {
    // A key that the device learned later proves nothing; its signature at least distinguishes a key change from a
    // forgery.
    const isNewKey = NEEDED.every((claim) => claimsOf(bundle, published).get(claim)?.status !== 'broken');
    return isNewKey ? { state: 'new_key' } : { state: 'broken', why: fault.explanation };
  }
  const difference = differenceBetween(bundle, payment);
  if (difference !== undefined) return { state: 'broken', why: difference };
  if (NEEDED.some((claim) => claims.get(claim)?.status !== 'holds')) return { state: 'not_logged' };
  const shown = activationIn(bundle, keys);
  if (shown === undefined) return { state: 'not_logged' };
  return (await follow(tools, { ...shown, keys }, known)) ?? { state: 'verified', since: shown.since };
}

const NEEDED = ['bundle', 'service_signature', 'payee', 'facts', 'payee_logged', 'log'] as const;

async function readAll(tools: LogTools, payment: Payment) {
  const [bundle, known, published] = await Promise.all([
    tools.evidence(payment),
    tools.known(),
    tools.keys(),
  ]);
  return { bundle, known, published };
}

function claimsOf(bundle: EvidenceBundle, keys: readonly PublishedKey[]) {
  const { claims } = verifyEvidence(bundle, { keys });
  return new Map(claims.map((claim) => [claim.claim, claim]));
}

/** The claims hold for the bundle; this checks that the bundle is about what is on the screen. */
function differenceBetween(bundle: EvidenceBundle, { facts, payee }: Payment): string | undefined {
  const { request, payee: proved } = bundle as unknown as {
    request: { facts_digest: string };
    payee: { facts: { name: string }; evidence: { input: { domain: string } }; binding: string } | null;
  };
  if (request.facts_digest !== factsDigest(facts)) return 'The evidence is about another payment.';
  if (proved === null) return 'There is no evidence of this payee.';
  if (proved.facts.name !== payee?.name) return 'The evidence is about a payee of another name.';
  if (proved.evidence.input.domain !== payee.domain) return 'The evidence is about another domain.';
  return proved.binding === payee.binding ? undefined : 'The domain has proved something else.';
}

/** The activation's place, and the tree in which it was shown. */
function activationIn(bundle: EvidenceBundle, keys: readonly PublishedKey[]) {
  const { service, log } = bundle as unknown as {
    service: { origin: string };
    log: { entries: { entry: string; proof?: string }[] };
  };
  const { origin } = service;
  const name = `${new URL(origin).host}/log`;
  for (const { entry, proof } of log.entries) {
    const read = parseEntry(entry);
    const note = proof === undefined ? undefined : parseLogProof(proof)?.checkpoint;
    if (read?.type !== 'payee.activated' || note === undefined) continue;
    for (const { use, public_key } of keys) {
      const publicKey = use === 'log' ? decodeBase64Url(public_key) : undefined;
      const opened = publicKey && openCheckpoint(note, { name, kind: 'signature', publicKey });
      if (opened) return { origin, since: read.at, checkpoint: opened.checkpoint };
    }
  }
  return undefined;
}

/** Detects a second log made for this reader: the smaller tree must be a prefix of the larger one. */
async function follow(
  tools: LogTools,
  shown: { origin: string; keys: readonly PublishedKey[]; checkpoint: Checkpoint },
  known: KnownLog | undefined,
): Promise<PayeeCheck | undefined> {
  const { origin, keys, checkpoint } = shown;
  const seen = { origin, keys, size: checkpoint.size, root: checkpoint.root };
  if (known !== undefined && known.origin !== origin) return { state: 'forked' };
  if (known !== undefined) {
    const [older, newer] = known.size <= seen.size ? [known, seen] : [seen, known];
    let proof: Uint8Array[];
    try {
      proof = await readConsistency(older.size, newer.size, tools.readTile);
    } catch {
      return { state: 'unreachable' };
    }
    if (!verifyConsistency(older, newer, proof)) return { state: 'forked' };
  }
  if (known === undefined || known.size < seen.size) await tools.keep(seen);
  return undefined;
}
