import {
  type DecisionKey,
  type DecisionSignature,
  decisionKeyFaults,
  decisionKeyThumbprint,
  decisionStatement,
  SIGNATURE_FAULTS,
  signatureFault,
} from '../decision/index.ts';
import { type BundleParts, equalJson, isObject, type Json } from './bundle.ts';
import { entriesOfType, type OpenedEntry } from './check-log.ts';
import { type ClaimOutcome, expect, holds, instant, notClaimed, serviceWord } from './claims.ts';

/** How far the time that a device states and the time of the log may be apart. */
const MAX_SKEW_MS = 6 * 60_000;
/** Entries are in the log within two seconds. What is not there after this was kept out of it, or invented. */
const MAX_UNLOGGED_MS = 60_000;

function namesOf({ request }: BundleParts): { request_id: string } | { agent_payment_id: string } {
  return typeof request['request_id'] === 'string'
    ? { request_id: request['request_id'] }
    : { agent_payment_id: String(request['id']) };
}

function keyOf(decision: Json): DecisionKey | undefined {
  const key = decision['key'];
  return isObject(key) ? (key as unknown as DecisionKey) : undefined;
}

function unlogged(decision: Json, asOf: string, what: string): ClaimOutcome {
  expect(
    instant(asOf) - instant(decision['decided_at']) <= MAX_UNLOGGED_MS,
    `${what} is not in the log, more than a minute after the decision.`,
  );
  return notClaimed(`${what} is not in the log yet.`);
}

/** The key that signed, and that the log has known it since before. */
export function checkDecisionKey(
  { decision, as_of: asOf }: BundleParts,
  entries: readonly OpenedEntry[],
): ClaimOutcome {
  const found = entriesOfType(entries, 'decision_key');
  const key = decision && keyOf(decision);
  if (!decision || !key) {
    expect(found.length === 0, 'An entry is about a key that signed nothing here.');
    expect(!decision || decision['alg'] === null, 'The key of a signed decision is missing.');
    return notClaimed(decision ? 'The decision is not signed.' : 'There is no decision.');
  }
  expect(key.alg === decision['alg'] && decisionKeyFaults(key).length === 0, 'The decision key is none.');
  const thumbprint = decisionKeyThumbprint(key);
  expect(thumbprint === decision['key_thumbprint'], 'The thumbprint is not that of the key.');
  for (const { content, entry } of found) {
    expect(isObject(content) && equalJson(content['key'], key), 'The log knows another key.');
    expect(content['thumbprint'] === thumbprint, 'The log knows another thumbprint.');
    expect(content['device_id'] === decision['device_id'], 'The log knows this key of another device.');
    expect(
      instant(entry.at) <= instant(decision['decided_at']) + MAX_SKEW_MS,
      'The key was logged only after the decision.',
    );
  }
  const proved = found.find(({ proof }) => proof !== undefined);
  if (!proved) return unlogged(decision, asOf, 'The key');
  return holds(`The log knows ${thumbprint} since ${proved.entry.at}.`);
}

/** That the device signed exactly this. A signature shows nothing while the log does not know key and decision. */
export function checkDecision(parts: BundleParts, entries: readonly OpenedEntry[]): ClaimOutcome {
  const { decision, request, context } = parts;
  if (!decision) return notClaimed('There is no decision.');
  const key = keyOf(decision);
  if (!key) {
    const signed = ['alg', 'key_thumbprint', 'statement', 'signature', 'webauthn'].filter(
      (name) => (decision[name] ?? null) !== null,
    );
    expect(signed.length === 0, 'A signed decision has no key.');
    return serviceWord(`The wallet did not sign: ${String(decision['decision'])}.`);
  }
  const kind = decision['decision'];
  expect(kind === 'approve' || kind === 'reject', 'The decision is none.');
  const statement = decisionStatement({
    ...namesOf(parts),
    decision: kind,
    connection_id: String(request['connection_id']),
    device_id: String(decision['device_id']),
    facts_digest: String(request['facts_digest']),
    context_digest: context === null ? null : String(context['digest']),
    expires_at: String(request['expires_at']),
    decided_at: String(decision['decided_at']),
  });
  expect(statement === decision['statement'], 'The statement that was signed is about something else.');
  const signed = isObject(decision['webauthn'])
    ? { webauthn: decision['webauthn'] }
    : { signature: String(decision['signature']) };
  const fault = signatureFault(key, statement, signed as DecisionSignature);
  expect(
    fault === undefined,
    fault === undefined ? '' : `The signature does not hold: ${SIGNATURE_FAULTS[fault]}.`,
  );
  const logged = [checkDecisionKey(parts, entries), checkDecisionLogged(parts, entries)];
  const missing = logged.find(({ status }) => status !== 'holds');
  if (missing) return missing;
  return holds(
    `${kind === 'approve' ? 'Approved' : 'Rejected'} at ${String(decision['decided_at'])}, signed by the device's ${key.alg === 'webauthn' ? 'passkey' : 'key'}.`,
  );
}

export function checkDecisionLogged(parts: BundleParts, entries: readonly OpenedEntry[]): ClaimOutcome {
  const { decision, request } = parts;
  const found = entriesOfType(entries, 'decision');
  if (!decision) {
    expect(found.length === 0, 'The log knows a decision that the bundle does not show.');
    return notClaimed('There is no decision.');
  }
  if (found.length === 0) return decisionUnlogged(parts, decision);
  expect(found.length === 1, 'The log knows two decisions about one payment.');
  const [only] = found;
  expect(
    equalJson(only?.content, {
      ...namesOf(parts),
      connection_id: request['connection_id'],
      decision: recordedOf(decision, only?.content),
    }),
    'The log knows another decision.',
  );
  const apart = Math.abs(instant(only?.entry.at) - instant(decision['decided_at']));
  expect(apart <= MAX_SKEW_MS, 'The decision was logged at another time than it was made.');
  if (!only?.proof) return decisionUnlogged(parts, decision);
  return holds(`In the log since ${only.entry.at}.`);
}

/** Without a key nothing was claimed to be proved, however long it takes. */
function decisionUnlogged({ as_of: asOf }: BundleParts, decision: Json): ClaimOutcome {
  if (!keyOf(decision)) return notClaimed('The decision is not signed, and not in the log.');
  return unlogged(decision, asOf, 'The decision');
}

/** The decision as the log has it. An unsigned one may name no device here, whichever one the log committed to. */
function recordedOf({ key: _, ...decision }: Json, content: unknown): Json {
  if (decision['alg'] !== null || decision['device_id'] !== null) return decision;
  const logged = isObject(content) && isObject(content['decision']) ? content['decision'] : {};
  return { ...decision, device_id: logged['device_id'] ?? null };
}
