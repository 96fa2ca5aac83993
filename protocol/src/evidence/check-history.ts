import { canonicalJsonBytes } from '../encoding/canonical-json.ts';
import { isFinal } from '../states/index.ts';
import { type BundleParts, equalJson, isObject, type Json } from './bundle.ts';
import { entriesOfType, type OpenedEntry } from './check-log.ts';
import {
  type ClaimOutcome,
  expect,
  holds,
  instant,
  lifeOf,
  notClaimed,
  type PublishedKey,
  serviceWord,
  signedByService,
} from './claims.ts';

/** Who the events are about, and how it begins. */
function subjectOf(request: Json) {
  if (typeof request['request_id'] === 'string')
    return {
      machine: 'payment_request',
      member: 'request_id',
      id: request['request_id'],
      first: 'pending',
    } as const;
  return {
    machine: 'agent_payment',
    member: 'agent_payment_id',
    id: request['id'],
    first: 'intent_created',
  } as const;
}

/** Agent payments from before their events were kept: the first steps are not known. */
function beginsLate([first]: readonly Json[], machine: 'payment_request' | 'agent_payment'): boolean {
  return machine === 'agent_payment' && Number(first?.['state_version']) > 2;
}

const AFTER_APPROVAL: readonly unknown[] = ['signed', 'broadcasted', 'confirmed'];

/**
 * An approval is never without its decision, signed or not. Records from before decisions were kept are older than the
 * first key of the service, which came with them.
 */
function expectDecision({ history, decision }: BundleParts, keys: readonly PublishedKey[]): void {
  const approved = history.find(({ status, previous_status: previous }) =>
    [status, previous].some((one) => AFTER_APPROVAL.includes(one)),
  );
  if (decision !== null || !approved) return;
  const firstKeyAt = Math.min(...keys.map((key) => lifeOf(key).from));
  expect(
    instant(approved['occurred_at']) < firstKeyAt,
    'The events have an approval, and the decision is missing.',
  );
}

/**
 * That the events follow each other, and that what no wallet reported is signed by the service. What a wallet reported
 * carries no signature, except the decision.
 */
export function checkHistory(
  parts: BundleParts,
  keys: readonly PublishedKey[],
  isDecisionProved: boolean,
): ClaimOutcome {
  const { history, request, decision, as_of: asOf } = parts;
  const [first] = history;
  if (!first) return notClaimed('The bundle has no events.');
  const subject = subjectOf(request);
  const isLate = beginsLate(history, subject.machine);
  let status: unknown = isLate ? first['previous_status'] : subject.first;
  let version = isLate ? Number(first['state_version']) - 1 : 1;
  const unsigned: string[] = [];
  for (const event of history) {
    const { service_signature: signature, ...rest } = event;
    expect(
      event[subject.member] === subject.id && event['connection_id'] === request['connection_id'],
      'An event is about another request.',
    );
    if (event['status'] !== event['previous_status']) {
      version += 1;
      expect(event['previous_status'] === status, 'An event does not follow the one before it.');
    }
    expect(event['state_version'] === version, 'An event is missing or repeated.');
    status = event['status'];
    if (event['actor'] === 'wallet') {
      expect(signature === undefined, 'An event of the wallet carries a signature of the service.');
      if (!isDecisionProved || decisionIn(event) === undefined) unsigned.push(String(event['status']));
      continue;
    }
    expect(isObject(signature), 'The word of the service is not signed.');
    signedByService(keys, asOf, signature, canonicalJsonBytes(rest));
  }
  expectDecision(parts, keys);
  if (isLate) return notClaimed('The first steps were not written down.');
  const decided = history.find((event) => event['actor'] === 'wallet' && decisionIn(event) !== undefined);
  if (decision)
    expect(decision['decision'] === (decided && decisionIn(decided)), 'The events have another decision.');
  const told = `${history.length} ${history.length === 1 ? 'event' : 'events'}, up to ${String(status)}`;
  return unsigned.length === 0
    ? holds(`${told}.`)
    : serviceWord(`${told}; reported by the wallet without a signature: ${unsigned.join(', ')}.`);
}

function decisionIn({ status, previous_status: previous }: Json): 'approve' | 'reject' | undefined {
  if (status === previous) return undefined;
  return status === 'signed' ? 'approve' : status === 'rejected' ? 'reject' : undefined;
}

export function checkFinalLogged(parts: BundleParts, entries: readonly OpenedEntry[]): ClaimOutcome {
  const { history, request } = parts;
  const found = entriesOfType(entries, 'final');
  const last = history.findLast((event) => event['status'] !== event['previous_status']);
  const { machine, id } = subjectOf(request);
  const isOver = last !== undefined && isFinal(machine, String(last['status']) as never);
  if (found.length === 0) return notClaimed(isOver ? 'The end is not in the log.' : 'It is not over.');
  expect(found.length === 1, 'The log knows two ends of one payment.');
  expect(isOver || last === undefined, 'The log has an end, and the events have none.');
  const [only] = found;
  const content = only?.content;
  expect(isObject(content), 'The log knows another end.');
  expect(content['facts_digest'] === request['facts_digest'], 'The log knows an end of another payment.');
  if (machine === 'payment_request' || content['event'] !== undefined || last !== undefined) {
    expect(last !== undefined, 'The log has an end that the events do not have.');
    const { service_signature: _, ...event } = last;
    expect(equalJson(content['event'], event), 'The log knows another end.');
  } else expect(content['agent_payment_id'] === id, 'The log knows an end of another payment.');
  if (!only?.proof) return notClaimed('The end is not in the log yet.');
  const status = String(last?.['status'] ?? content['status']);
  return holds(`The log has recorded since ${only.entry.at} that it ended as ${status}.`);
}
