import { canonicalJsonBytes } from '../canonical-json.ts';
import { isFinal } from '../states/index.ts';
import { type BundleParts, equalJson, isObject } from './bundle.ts';
import { entriesOfType, type OpenedEntry } from './check-log.ts';
import { decode, expect, holds, isSignedBy, notClaimed, type Outcome, type PublishedKey } from './claims.ts';

/** That the events follow each other, and that what no wallet said is the service's signed word. */
export function checkHistory(
  { history, request, decision }: BundleParts,
  keys: readonly PublishedKey[],
): Outcome {
  if (history.length === 0) return notClaimed('The bundle has no events.');
  let status: unknown = 'pending';
  let version = 1;
  for (const event of history) {
    const { service_signature: signature, ...rest } = event;
    expect(
      event['request_id'] === request['request_id'] && event['connection_id'] === request['connection_id'],
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
      continue;
    }
    expect(isObject(signature), 'The word of the service is not signed.');
    const isSigned = isSignedBy(
      keys,
      'evidence',
      String(signature['kid']),
      canonicalJsonBytes(rest),
      decode(signature['value']),
    );
    expect(isSigned, 'The signature of the service under an event does not hold.');
  }
  const decided = history.find(
    ({ actor, status: to }) => actor === 'wallet' && (to === 'signed' || to === 'rejected'),
  );
  const kind = decided && (decided['status'] === 'signed' ? 'approve' : 'reject');
  if (decision) expect(decision['decision'] === kind, 'The events tell of another decision.');
  return holds(`${history.length} ${history.length === 1 ? 'event' : 'events'}, up to ${String(status)}.`);
}

export function checkFinalLogged(parts: BundleParts, entries: readonly OpenedEntry[]): Outcome {
  const { history, request } = parts;
  const found = entriesOfType(entries, 'final');
  const last = history.findLast((event) => event['status'] !== event['previous_status']);
  const isOver = last !== undefined && isFinal('payment_request', String(last['status']) as never);
  if (found.length === 0) return notClaimed(isOver ? 'The end is not in the log.' : 'It is not over.');
  expect(found.length === 1, 'The log knows two ends of one payment.');
  const [only] = found;
  const content = only?.content;
  expect(isObject(content), 'The log knows another end.');
  expect(content['facts_digest'] === request['facts_digest'], 'The log knows an end of another payment.');
  if (typeof request['request_id'] === 'string') {
    expect(last !== undefined, 'The log knows an end that the events do not tell of.');
    const { service_signature: _, ...event } = last;
    expect(equalJson(content['event'], event), 'The log knows another end.');
  } else expect(content['agent_payment_id'] === request['id'], 'The log knows an end of another payment.');
  if (!only?.proof) return notClaimed('The end is not in the log yet.');
  const status = String(last?.['status'] ?? content['status']);
  return holds(`The log says since ${only.entry.at} that it ended as ${status}.`);
}
