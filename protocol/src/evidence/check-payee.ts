import { contextDigest } from '../decision/index.ts';
import { evidenceDigest, factsDigest, payeeRecordFacts } from '../digests.ts';
import { isNetwork } from '../enumerations.ts';
import { hasUniqueRequestMemo, requestMemo } from '../networks/index.ts';
import { type BundleParts, equalJson, isObject, type Json } from './bundle.ts';
import { entriesOfType, type OpenedEntry } from './check-log.ts';
import { type ClaimOutcome, expect, holds, notClaimed } from './claims.ts';
import { isLogDomain } from './log-domain.ts';

/** The request's payment: below `payment`, or next to everything else on the second surface. */
function paymentOf({ request }: BundleParts): Json {
  return isObject(request['payment']) ? request['payment'] : request;
}

function pinnedPayee({ request }: BundleParts): Json {
  return isObject(request['payee']) ? request['payee'] : {};
}

/** The payee's evidence, computed again, and that it is the payee of this request. */
export function checkPayee(parts: BundleParts): ClaimOutcome {
  const { payee } = parts;
  if (payee === null) {
    expect(pinnedPayee(parts)['verified'] === false, 'A payee that is called verified has no evidence here.');
    return notClaimed('The payment goes to a bare address: no domain vouches for it.');
  }
  const facts = payee['facts'];
  const evidence = payee['evidence'];
  expect(isObject(facts) && isObject(evidence) && isObject(evidence['input']), 'payee is incomplete.');
  const input = evidence['input'];
  expect(
    evidenceDigest(input as never) === evidence['evidence_digest'],
    'The digest is not that of the evidence.',
  );
  expect(equalJson(payeeRecordFacts(input as never), facts), 'The evidence is about another payee.');
  expect(equalJson(payeeRecordFacts(facts as never), facts), 'The facts of the payee have other members.');
  const binding = input['binding'] ?? 'domain';
  const pinned = pinnedPayee(parts);
  expect(payee['binding'] === binding, 'What the domain proved is stated differently from what was proved.');
  expect(evidence['method'] === input['method'], 'The method is another one.');
  expect(evidence['verified_at'] === input['verified_at'], 'The time of the proof is another one.');
  expect(
    pinned['evidence_digest'] === evidence['evidence_digest'],
    'The request was pinned to other evidence.',
  );
  expect(pinned['domain'] === input['domain'], 'The request names another domain.');
  expect(
    isLogDomain(String(input['domain'])),
    'The domain is not written in lower-case A-labels: its owner would not find this payee in the log.',
  );
  const payment = paymentOf(parts);
  const hasOwnMemo = facts['memo_policy'] === 'request';
  if (hasOwnMemo) expectOwnMemo(parts);
  for (const [fact, member] of PAYMENT_MEMBERS.filter(([fact]) => fact !== 'memo' || !hasOwnMemo))
    expect(
      (facts[fact] ?? null) === (payment[member] ?? null),
      `The payment has another ${member} than the payee.`,
    );
  return holds(
    `The payment goes to the payee whose evidence for ${String(input['domain'])} (${String(binding)}) has this digest.`,
  );
}

/**
 * Of a payee whose requests each have a memo: that it is the one of this very request, where it can be computed again.
 */
function expectOwnMemo(parts: BundleParts): void {
  const { request } = parts;
  const payment = paymentOf(parts);
  const { memo } = payment;
  expect(typeof memo === 'string' && memo !== '', 'The payment lacks the memo of its request.');
  const { network } = payment;
  if (!isNetwork(network) || !hasUniqueRequestMemo(network)) return;
  const version = pinnedPayee(parts)['recipient_version_id'] ?? request['recipient_version_id'];
  const connection_id = String(request['connection_id']);
  const subject =
    typeof request['request_id'] === 'string'
      ? { connection_id, request_id: request['request_id'] }
      : { connection_id, agent_payment_id: String(request['id']) };
  const facts = { ...payment, recipient_version_id: version } as never;
  expect(requestMemo(facts, subject) === memo, 'The memo is not that of this request.');
}

const PAYMENT_MEMBERS = [
  ['rail', 'rail'],
  ['network', 'network'],
  ['asset', 'asset'],
  ['address', 'to'],
  ['memo', 'memo'],
  ['contract', 'contract'],
  ['issuer', 'issuer'],
  ['decimals', 'decimals'],
  ['chain_id', 'chain_id'],
] as const;

/** The digest that the customer's signature covers, computed again from the facts. */
export function checkFacts(parts: BundleParts): ClaimOutcome {
  const { request } = parts;
  const version = pinnedPayee(parts)['recipient_version_id'] ?? request['recipient_version_id'];
  const facts = { ...paymentOf(parts), recipient_version_id: version };
  expect(factsDigest(facts as never) === request['facts_digest'], 'The digest is not that of these facts.');
  return holds(
    `${String(facts['amount' as never])} ${String(facts['asset' as never])} to ${String(facts['to' as never])}.`,
  );
}

/** That the payee was in the transparency log before the request was made. */
export function checkPayeeLogged(parts: BundleParts, entries: readonly OpenedEntry[]): ClaimOutcome {
  const { payee, request } = parts;
  const found = entriesOfType(entries, 'payee.activated');
  if (payee === null) {
    expect(found.length === 0, 'An entry is about a payee that is not in the bundle.');
    return notClaimed('There is no payee.');
  }
  if (found.length === 0) return notClaimed('No entry shows the activation of this payee.');
  const evidence = payee['evidence'];
  expect(isObject(evidence) && isObject(evidence['input']), 'payee is incomplete.');
  const { domain } = evidence['input'];
  for (const { entry } of found) {
    expect('domain' in entry && entry.domain === domain, 'The entry is about another domain.');
    expect(entry.evidence_digest === evidence['evidence_digest'], 'The entry is about another payee.');
    expect(
      Date.parse(entry.at) <= Date.parse(String(request['created_at'])),
      'The payee was logged only after the request was made.',
    );
  }
  const proved = found.find(({ proof }) => proof !== undefined);
  if (!proved) return notClaimed('The activation is not in the log yet.');
  return holds(`The activation for ${String(domain)} is in the transparency log since ${proved.entry.at}.`);
}

export function checkContext(parts: BundleParts): ClaimOutcome {
  const { context, request } = parts;
  const pinned = isObject(request['transaction_context']) ? request['transaction_context'] : {};
  if (context === null) {
    expect((pinned['revision'] ?? null) === null, 'The context that was pinned is missing.');
    return notClaimed('The request has no context.');
  }
  const { content, revision, digest } = context;
  expect(isObject(content), 'The context is none.');
  expect(revision === pinned['revision'], 'Another revision of the context was pinned.');
  expect(contextDigest(content) === digest, 'The digest is not that of the context.');
  return holds(`Revision ${String(revision)}, as it was pinned.`);
}
