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
import { type ClaimOutcome, expect, holds, notClaimed } from './claims.ts';

/** How far the time that a device states and the time of the log may be apart. */
const MAX_SKEW_MS = 6 * 60_000;

function namesOf({ request }: BundleParts): { request_id: string } | { agent_payment_id: string } {
  return typeof request['request_id'] === 'string'
    ? { request_id: request['request_id'] }
    : { agent_payment_id: String(request['id']) };
}

function keyOf(decision: Json): DecisionKey | undefined {
  const key = decision['key'];
  return isObject(key) ? (key as unknown as DecisionKey) : undefined;
}

/** The key that signed, and that the log has known it since before. */
export function checkDecisionKey({ decision }: BundleParts, entries: readonly OpenedEntry[]): ClaimOutcome {
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
  if (found.length === 0) return notClaimed('The key is not in the log.');
  for (const { content, entry } of found) {
    expect(isObject(content) && equalJson(content['key'], key), 'The log knows another key.');
    expect(content['thumbprint'] === thumbprint, 'The log knows another thumbprint.');
    expect(content['device_id'] === decision['device_id'], 'The log knows this key of another device.');
    expect(
      Date.parse(entry.at) <= Date.parse(String(decision['decided_at'])) + MAX_SKEW_MS,
      'The key was logged only after the decision.',
    );
  }
  if (found.every(({ proof }) => proof === undefined)) return notClaimed('The key is not in the log yet.');
  return holds(`The log knows ${thumbprint} since ${found[0]?.entry.at}.`);
}

/** That the device signed exactly this. */
export function checkDecision(parts: BundleParts): ClaimOutcome {
  const { decision, request, context } = parts;
  if (!decision) return notClaimed('There is no decision.');
  const key = keyOf(decision);
  if (!key) {
    const signed = ['alg', 'key_thumbprint', 'statement', 'signature', 'webauthn'].filter(
      (name) => (decision[name] ?? null) !== null,
    );
    expect(signed.length === 0, 'A signed decision has no key.');
    return notClaimed('The wallet signs nothing: the decision is the word of the service.');
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
  if (found.length === 0) return notClaimed('The decision is not in the log.');
  expect(found.length === 1, 'The log knows two decisions about one payment.');
  const { key: _, ...recorded } = decision;
  const [only] = found;
  expect(
    equalJson(only?.content, {
      ...namesOf(parts),
      connection_id: request['connection_id'],
      decision: recorded,
    }),
    'The log knows another decision.',
  );
  const apart = Math.abs(Date.parse(String(only?.entry.at)) - Date.parse(String(decision['decided_at'])));
  expect(apart <= MAX_SKEW_MS, 'The decision was logged at another time than it was made.');
  if (!only?.proof) return notClaimed('The decision is not in the log yet.');
  return holds(`In the log since ${only.entry.at}.`);
}
