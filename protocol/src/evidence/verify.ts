import { utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from '../encoding/canonical-json.ts';
import { type NoteKey, parseVerifierKey } from '../log/index.ts';
import { type BundleParts, readBundle } from './bundle.ts';
import { checkDecision, checkDecisionKey, checkDecisionLogged } from './check-decision.ts';
import { checkFinalLogged, checkHistory } from './check-history.ts';
import { checkEntries, checkLogKnown, checkWitnesses, type LogView, openEntries } from './check-log.ts';
import { checkContext, checkFacts, checkPayee, checkPayeeLogged } from './check-payee.ts';
import { checkCreatedWith, checkLookedUp, checkSettlement } from './check-word.ts';
import { type Check, type ClaimOutcome, holds, type PublishedKey, signedByService } from './claims.ts';

export type { PublishedKey } from './claims.ts';

/** Everything that a bundle can claim, in the order of the report. */
const EVIDENCE_CLAIMS = [
  'bundle',
  'service_signature',
  'payee',
  'looked_up',
  'facts',
  'created_with',
  'payee_logged',
  'context',
  'decision_key',
  'decision',
  'decision_logged',
  'history',
  'final_logged',
  'settlement',
  'log',
  'checkpoint',
  'witnesses',
] as const;
export type EvidenceClaim = (typeof EVIDENCE_CLAIMS)[number];

export interface VerifiedClaim extends ClaimOutcome {
  claim: EvidenceClaim;
}

export interface Verification {
  /** No claim is broken. What is only the service's word counts like what is not claimed. */
  ok: boolean;
  claims: VerifiedClaim[];
}

interface VerifyOptions {
  /** `/.well-known/svc-keys.json`, got from somewhere that is trusted. */
  keys: { keys: readonly PublishedKey[] } | readonly PublishedKey[];
  /** A checkpoint of the log that was seen elsewhere. */
  checkpoint?: string;
  /** Verifier keys of witnesses, of which one at least must have seen each proof. */
  witnesses?: readonly (string | NoteKey)[];
}

/**
 * Verifies a bundle without the service: pure, in any browser. Give it the text or bytes as they were served; an object
 * is taken for one that was parsed from them. Nothing is claimed by a bundle whose claims are broken.
 */
export function verifyEvidence(bundle: string | Uint8Array | object, options: VerifyOptions): Verification {
  const outcomes = new Map<EvidenceClaim, ClaimOutcome>();
  const note = (claim: EvidenceClaim, outcome: ClaimOutcome) => void outcomes.set(claim, outcome);
  const parts = guarded(() => readBundle(textOf(bundle)));
  if (!('profile' in parts)) {
    note('bundle', parts as ClaimOutcome);
    return conclude(outcomes);
  }
  note('bundle', holds('It is one document of this kind, in its one spelling.'));
  const keys = isList(options.keys) ? options.keys : options.keys.keys;
  const witnesses = (options.witnesses ?? []).map((key) =>
    typeof key === 'string' ? parseVerifierKey(key) : key,
  );
  const log: LogView = {
    origin: parts.service.origin,
    asOf: parts.as_of,
    keys,
    witnesses: witnesses.filter((key) => key !== undefined),
    hasUnknownWitness: witnesses.includes(undefined),
    opened: new Map(),
    ...(options.checkpoint === undefined ? {} : { checkpoint: options.checkpoint }),
  };
  const entries = openEntries(parts, log);
  const checks: [EvidenceClaim, Check][] = [
    ['service_signature', () => checkServiceSignature(parts, keys)],
    ['payee', () => checkPayee(parts)],
    ['looked_up', () => checkLookedUp(parts)],
    ['facts', () => checkFacts(parts)],
    ['created_with', () => checkCreatedWith(parts)],
    ['payee_logged', () => checkPayeeLogged(parts, entries)],
    ['context', () => checkContext(parts)],
    ['decision_key', () => checkDecisionKey(parts, entries)],
    ['decision', () => checkDecision(parts, entries)],
    ['decision_logged', () => checkDecisionLogged(parts, entries)],
    ['history', () => checkHistory(parts, keys, outcomes.get('decision')?.status === 'holds')],
    ['final_logged', () => checkFinalLogged(parts, entries)],
    ['settlement', () => checkSettlement(parts)],
    ['log', () => checkEntries(entries)],
    ['checkpoint', () => checkLogKnown(entries, log)],
    ['witnesses', () => checkWitnesses(entries, log)],
  ];
  for (const [claim, check] of checks) note(claim, guarded(check));
  return conclude(outcomes);
}

function isList(keys: VerifyOptions['keys']): keys is readonly PublishedKey[] {
  return Array.isArray(keys);
}

function conclude(outcomes: ReadonlyMap<EvidenceClaim, ClaimOutcome>): Verification {
  const claims = EVIDENCE_CLAIMS.map((claim) => ({
    claim,
    ...(outcomes.get(claim) ?? { status: 'not_claimed' as const, explanation: 'The bundle cannot be read.' }),
  }));
  return { ok: claims.every(({ status }) => status !== 'broken'), claims };
}

/** Whatever has an unexpected shape is broken, and never an exception. */
function guarded<T>(check: () => T): T | ClaimOutcome {
  try {
    return check();
  } catch (error) {
    return { status: 'broken', explanation: error instanceof Error ? error.message : 'It cannot be read.' };
  }
}

function textOf(bundle: string | Uint8Array | object): string {
  if (typeof bundle === 'string') return bundle;
  if (bundle instanceof Uint8Array)
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bundle);
  return canonicalJson(bundle);
}

function checkServiceSignature(parts: BundleParts, keys: readonly PublishedKey[]): ClaimOutcome {
  const { signature, ...rest } = parts;
  const { kid } = signedByService(keys, parts.as_of, signature, utf8ToBytes(canonicalJson(rest)));
  return holds(`Signed by ${kid}, an evidence key of the service that was in use at ${parts.as_of}.`);
}
