import {
  canonicalJson,
  canonicalJsonBytes,
  encodeBase64Url,
  evidenceInput,
  parseExactJson,
  payeeRecordFacts,
  signEd25519,
} from '@payassent/protocol';
import { contextDigest, EVIDENCE_PROFILE } from '@payassent/protocol/evidence';
import type { Decision, Settlement } from '@payassent/protocol/records';
import type { Act } from '../../act.ts';
import type { Sql } from '../../db/open.ts';
import { AppError } from '../../errors.ts';
import type { SigningKey } from '../../keys/signing-keys.ts';
import { toTimestamp } from '../../lib/clock.ts';
import { shownDecision } from '../decisions/decide.ts';
import { keyThatSigned } from '../decisions/keys.ts';
import { challengeRecordName, challengeUrl } from '../merchants/challenge.ts';
import { isWatched, type ObservationName } from '../observations/watch.ts';
import { awaitsClaim, isSettled as isClosed } from '../settlement/judge.ts';
import { decisionKeySubject } from '../transparency-log/append.ts';
import type { LogSigner } from '../transparency-log/checkpoint.ts';
import { entriesOf, type FoundEntry } from '../transparency-log/entries-of.ts';
import {
  findAgentKey,
  findPayeeProof,
  freeze,
  type PayeeProofRow,
  type PaymentFactsRow,
  readFrozen,
  readKeyLife,
} from './bundle-sql.ts';

/** A payment of either surface, as the bundle needs it. */
export interface Proved {
  /** The key of its log entries. */
  subject: string;
  facts: PaymentFactsRow;
  /** The record as it was created. */
  request: Record<string, unknown>;
  agentName: string;
  context: { revision: number; content: Record<string, unknown> } | null;
  /** Its name in the list of observed payments. */
  watchedAs: Omit<ObservationName, 'merchant_id'>;
  /** Oldest first. */
  history: readonly Record<string, unknown>[];
  /** The settlement; null where the chain has not been read. */
  settlement: Settlement | null;
  isFinal: boolean;
}

/**
 * Everything that proves the outcome of a payment, in one document that can be verified without the service. Once
 * nothing in it can change any more it is stored, and its bytes stay the same.
 */
export async function evidenceBundle(
  sql: Sql,
  act: Act,
  log: LogSigner,
  subject: string,
  read: () => Promise<Proved>,
): Promise<string> {
  const frozen = await readFrozen(sql, subject);
  if (frozen !== undefined) return frozen;
  const proved = await read();
  const { evidence: signer } = log.signing;
  const asOf = await signingTime(sql, act, log);
  const { unsigned, isComplete } = await gather(sql, asOf, log, proved, signer);
  const bundle = canonicalJson({
    ...unsigned,
    signature: { kid: signer.kid, value: signed(signer, unsigned) },
  });
  const isOver = proved.isFinal && isComplete && (await isSettled(sql, proved));
  return isOver ? freeze(sql, subject, bundle, act.now) : bundle;
}

/**
 * Verifiers reject what a key signed after its retirement: while processes with two master keys run concurrently, those
 * with the previous key sign no bundle. A clock behind the one that published the keys does not sign earlier.
 */
async function signingTime(sql: Sql, act: Act, { signing }: LogSigner): Promise<Date> {
  const { is_retired, since } = await readKeyLife(sql, [signing.evidence.kid, signing.log.kid]);
  if (is_retired)
    throw new AppError('unavailable', {
      message: 'The master key of the service is being changed; read the evidence again.',
    });
  return since > act.now ? since : act.now;
}

async function gather(sql: Sql, asOf: Date, log: LogSigner, proved: Proved, signer: SigningKey) {
  const { facts, request, context, history, subject } = proved;
  const pinned = parseExactJson(facts.payee) as Record<string, unknown>;
  const digest = pinned['evidence_digest'];
  const proof =
    facts.recipient_version_id !== null && typeof digest === 'string'
      ? await findPayeeProof(sql, facts.recipient_version_id, digest)
      : undefined;
  const agentKey = await findAgentKey(sql, facts.agent_id, facts.created_at);
  const { decision, keySubjects } = await decisionMember(sql, facts.decision);
  const subjects = [...(proof ? [proof.evidence_id] : []), ...keySubjects, subject];
  const entries = (await entriesOf(sql, log, subjects)).filter(
    (entry) => isTimely(entry, facts.created_at) && !namesUnsignedDevice(entry),
  );
  const unsigned = {
    profile: EVIDENCE_PROFILE,
    service: { origin: log.baseUrl },
    payee: proof ? payeeMember(proof, pinned) : null,
    request: { ...request, intent_digest: facts.intent_digest },
    agent: {
      agent_id: facts.agent_id,
      name: proved.agentName,
      kid: agentKey?.kid ?? null,
      public_key: agentKey ? encodeBase64Url(agentKey.public_key) : null,
    },
    context: context && { ...context, digest: contextDigest(context.content) },
    decision,
    history: asLogged(history, entries).map((event) => withServiceSignature(event, signer)),
    settlement: proved.settlement,
    log: { entries: entries.map(({ bundled }) => bundled) },
    as_of: toTimestamp(asOf),
  };
  return { unsigned, isComplete: entries.every(({ bundled }) => bundled.pending === undefined) };
}

/** The settlement is final, or no observation is pending. */
async function isSettled(sql: Sql, { settlement, facts, watchedAs }: Proved): Promise<boolean> {
  if (settlement && isClosed(settlement.state) && !awaitsClaim(settlement)) return true;
  return !(await isWatched(sql, { merchant_id: facts.merchant_id, ...watchedAs }));
}

/**
 * An activation logged only after the request was made does not prove what the customer was shown: payees from before
 * the log. The bundle does not claim it then.
 */
function isTimely({ type, bundled }: FoundEntry, createdAt: Date): boolean {
  if (type === 'payee.archived' || type === 'payee.suspended') return false;
  if (type !== 'payee.activated') return true;
  const { at } = JSON.parse(bundled.entry) as { at: string };
  return Date.parse(at) <= createdAt.getTime();
}

/** The log once committed to the device of an unsigned decision. The bundle does not open such an entry. */
function namesUnsignedDevice({ type, bundled }: FoundEntry): boolean {
  if (type !== 'decision') return false;
  const { decision } = (bundled.content ?? {}) as { decision?: Decision };
  return decision?.alg === null && decision.device_id !== null;
}

function payeeMember(proof: PayeeProofRow, pinned: Readonly<Record<string, unknown>>) {
  const verified_at = toTimestamp(proof.verified_at);
  const facts = payeeRecordFacts(proof as never);
  const { type, domain, method, binding } = proof;
  return {
    facts,
    evidence: {
      input: evidenceInput({ ...facts, type, domain, method, binding, verified_at } as never),
      evidence_digest: proof.evidence_digest,
      method,
      looked_up:
        method === 'dns' ? { type: 'TXT', name: challengeRecordName(domain) } : { url: challengeUrl(domain) },
      found: proof.found,
      resolver: proof.resolver,
      verified_at,
    },
    binding,
    activated_at: pinned['activated_at'] ?? null,
    // Wallets and agents do not see who works for a merchant: the audit trail names both owners by this id.
    ...(proof.approval_id === null ? {} : { approval_id: proof.approval_id }),
  };
}

async function decisionMember(sql: Sql, decision: Decision | null) {
  if (!decision) return { decision: null, keySubjects: [] };
  const { device_id: deviceId, key_thumbprint: thumbprint } = decision;
  const key =
    thumbprint === null || deviceId === null ? undefined : await keyThatSigned(sql, deviceId, thumbprint);
  return {
    decision: { ...shownDecision(decision), key: key?.key ?? null },
    keySubjects: key ? [decisionKeySubject(key.decision_key_id)] : [],
  };
}

/**
 * The log has the last event in the time format of its release: releases before hashes had one format logged times as
 * sent.
 */
function asLogged(
  history: readonly Record<string, unknown>[],
  entries: readonly FoundEntry[],
): readonly Record<string, unknown>[] {
  const logged = entries.flatMap(({ type, bundled }) => {
    const content = bundled.content as { event?: Record<string, unknown> } | undefined;
    return type === 'final' && content?.event ? [content.event] : [];
  });
  return history.map((event) => logged.find((same) => same['event_id'] === event['event_id']) ?? event);
}

/** What is not signed by a wallet is the service's own statement, and marked as such. */
function withServiceSignature(event: Record<string, unknown>, signer: SigningKey): Record<string, unknown> {
  if (event['actor'] === 'wallet') return event;
  return { ...event, service_signature: { kid: signer.kid, value: signed(signer, event) } };
}

function signed({ seed }: SigningKey, value: unknown): string {
  return encodeBase64Url(signEd25519(canonicalJsonBytes(value), seed));
}
