import { factsDigest } from '@payassent/protocol';
import {
  eventsOf,
  type Finding,
  finding,
  groupBy,
  type Invariant,
  recordName,
  recordsOf,
  succeeded,
} from './evidence.ts';
import type { Tables } from './tables.ts';

/** At most one request has a key of a connection, and every caller who used it got the same request. */
const oneRequestPerKey: Invariant = ({ tables, attempts }) => {
  const result = finding();
  const stored = recordsOf(tables).filter((row) => row.idempotency_key !== null);
  const byKey = groupBy(stored, (row) => `${row.kind} ${row.connection_id} ${row.idempotency_key}`);
  for (const [key, rows] of byKey)
    result.expect(rows.length === 1, () => `${key} has ${rows.map((row) => row.id).join(', ')}`);
  const told = attempts.filter(
    (attempt) =>
      attempt.method === 'POST' &&
      (attempt.path === '/v1/payment-requests' || attempt.path === '/v1/agent-payments') &&
      attempt.key !== undefined &&
      succeeded(attempt),
  );
  for (const [key, answers] of groupBy(told, (attempt) => attempt.key ?? '')) {
    const ids = new Set(
      answers.map(({ answer }) => answer?.body.payment_request?.request_id ?? answer?.body.data?.id),
    );
    result.expect(ids.size === 1, () => `key ${key} returned ${[...ids].join(', ')}`);
    const made = answers.filter(({ answer }) => answer?.status === 201);
    result.expect(made.length <= 1, () => `key ${key} returned 201 ${made.length} times`);
  }
  return result;
};

/** A key that has a request is refused with another body. */
const otherBodyIsRefused: Invariant = ({ attempts }) => {
  const result = finding();
  const firsts = new Map<string, number>();
  for (const { key, path, answer, note } of attempts) {
    if (key === undefined || path !== '/v1/payment-requests' || note !== undefined || !answer) continue;
    if (answer.status < 300) firsts.set(key, Math.min(firsts.get(key) ?? Infinity, answer.at));
  }
  for (const { note, key = '', at, answer } of attempts) {
    if (note !== 'same key, other body' || !answer || (firsts.get(key) ?? Infinity) >= at) continue;
    result.expect(answer.status >= 400, () => `key ${key} took another body`);
  }
  return result;
};

const NAMES = ['rail', 'network', 'asset', 'memo', 'contract', 'issuer', 'decimals', 'chain_id'] as const;

/** The pinned details of a request or payment equal those of its version, including the digest. */
const factsEqualPinnedVersion: Invariant = ({ tables, attempts }) => {
  const result = finding();
  const versions = new Map(tables.recipient_versions.map((row) => [row.recipient_version_id, row]));
  for (const row of recordsOf(tables)) {
    result.expect(digestOf(row) === row.facts_digest, () => `${row.id}: the digest is of other facts`);
    if (row.recipient_version_id === null) continue;
    const version = versions.get(row.recipient_version_id);
    const isSame =
      version !== undefined &&
      version.merchant_id === row.merchant_id &&
      version.activated_at !== null &&
      version.address === row.to_address &&
      NAMES.every((name) => version[name] === row[name]);
    result.expect(isSame, () => `${row.id} differs from ${row.recipient_version_id}`);
  }
  const rows = new Map(tables.payment_requests.map((row) => [`${row.connection_id} ${row.request_id}`, row]));
  for (const attempt of attempts) {
    const told = succeeded(attempt) ? attempt.answer?.body.payment_request : undefined;
    const row = told && rows.get(`${told.connection_id} ${told.request_id}`);
    if (!told || !row) continue;
    const isSame = told.facts_digest === row.facts_digest && told.payment.amount === row.amount;
    result.expect(isSame, () => `${row.request_id} was returned with other facts than are stored`);
  }
  return result;
};

function digestOf(row: ReturnType<typeof recordsOf>[number]): string {
  const facts = Object.fromEntries([...NAMES, 'amount' as const].map((name) => [name, row[name]]));
  const { to_address: to, recipient_version_id } = row;
  return factsDigest({ ...facts, to, recipient_version_id } as Parameters<typeof factsDigest>[0]);
}

/** Written down here again, so that a wrong table in the service is not believed. */
const STEPS: Record<string, readonly string[]> = {
  pending: ['signed', 'rejected', 'failed', 'expired'],
  signed: ['broadcasted', 'failed'],
  broadcasted: ['confirmed', 'failed'],
};
const PAYMENT_STEPS: Record<string, readonly string[]> = {
  intent_created: ['signed', 'rejected', 'failed', 'expired', 'cancelled'],
  signed: ['broadcasted', 'failed'],
  broadcasted: ['confirmed', 'failed'],
};

/** Each request went from state to state as the table allows, with one event for every step and none besides. */
const statusPathsWalkTheTable: Invariant = ({ tables }) =>
  walked(tables, 'payment_request', 'pending', STEPS);

/** The same of agent payments and their events. */
const paymentEventsWalkTheTable: Invariant = ({ tables }) =>
  walked(tables, 'agent_payment', 'intent_created', PAYMENT_STEPS);

function walked(
  tables: Tables,
  kind: 'payment_request' | 'agent_payment',
  first: string,
  steps: Record<string, readonly string[]>,
): Finding {
  const result = finding();
  const known = new Set<string>();
  // Settlement events are not steps.
  const told = eventsOf(tables).filter((event) => event.kind === kind && event.settlement_state === null);
  const events = groupBy(told, recordName);
  for (const row of recordsOf(tables).filter((each) => each.kind === kind)) {
    const name = recordName(row);
    known.add(name);
    const path = (events.get(name) ?? []).toSorted((a, b) => a.state_version - b.state_version);
    let status = first;
    let isWalk = path.length === row.state_version - 1;
    for (const [index, event] of path.entries()) {
      isWalk &&= event.state_version === index + 2 && event.previous_status === status;
      isWalk &&= event.merchant_id === row.merchant_id && event.type === `${kind}.${event.status}`;
      isWalk &&= steps[status]?.includes(event.status) ?? false;
      status = event.status;
    }
    const walk = () => path.map((event) => `${event.state_version}:${event.status}`).join(' → ');
    result.expect(
      isWalk && status === row.status,
      () => `${name} is ${row.status} (${row.state_version}) by ${walk()}`,
    );
  }
  for (const name of events.keys())
    result.expect(known.has(name), () => `events of an unknown record ${name}`);
  return result;
}

/** Pending requests are listed as pending, all others by their status, once each, and nothing else is listed. */
const requestsListedOnce: Invariant = ({ tables }) => {
  const result = finding();
  const listed = groupBy(
    [...tables.pending_requests.map((row) => ({ ...row, status: 'pending' })), ...tables.requests_by_status],
    (row) => `${row.merchant_id} ${row.connection_id} ${row.request_id}`,
  );
  const known = new Set<string>();
  for (const { merchant_id, connection_id, request_id, status } of tables.payment_requests) {
    const name = `${merchant_id} ${connection_id} ${request_id}`;
    known.add(name);
    const places = (listed.get(name) ?? []).map((row) => row.status);
    result.expect(
      places.length === 1 && places[0] === status,
      () => `${name} is ${status} and listed as ${places.join(', ') || 'nothing'}`,
    );
  }
  for (const name of listed.keys()) result.expect(known.has(name), () => `${name} is listed and no request`);
  return result;
};

/** Agent payments publish their steps by webhook: one message a step, each a step of the table. */
const paymentPathsWalkTheTable: Invariant = ({ tables }) => {
  const result = finding();
  const steps = new Map<string, { version: number; status: string; previous: string | undefined }[]>();
  for (const message of tables.webhook_messages) {
    if (!message.type.startsWith('agent_payment.') || message.type.endsWith('.settlement_updated')) continue;
    const { agent_payment: payment, previous_status: previous } = JSON.parse(message.body).data;
    const list = steps.get(payment.id) ?? [];
    steps.set(payment.id, list);
    list.push({ version: payment.state_version, status: payment.status, previous });
  }
  for (const row of tables.agent_payments) {
    const path = (steps.get(row.agent_payment_id) ?? []).toSorted((a, b) => a.version - b.version);
    let status: string | undefined;
    let isWalk = path.length === row.state_version;
    for (const [index, step] of path.entries()) {
      isWalk &&= step.version === index + 1;
      isWalk &&=
        status === undefined
          ? step.status === 'intent_created'
          : step.previous === status && (PAYMENT_STEPS[status]?.includes(step.status) ?? false);
      status = step.status;
    }
    const walked = () => path.map((step) => `${step.version}:${step.status}`).join(' → ');
    result.expect(
      isWalk && status === row.status,
      () => `${row.agent_payment_id} is ${row.status} (${row.state_version}) by ${walked()}`,
    );
  }
  return result;
};

/** A connection that is revoked has nothing left to decide. */
const revokedConnectionsHoldNothingPending: Invariant = ({ tables }) => {
  const result = finding();
  const revoked = new Set(
    tables.connections.filter((row) => row.status === 'revoked').map((row) => row.connection_id),
  );
  for (const row of recordsOf(tables)) {
    if (!revoked.has(row.connection_id)) continue;
    result.expect(
      row.status !== 'pending' && row.status !== 'intent_created',
      () => `${row.id} is ${row.status} on ${row.connection_id}`,
    );
  }
  return result;
};

export const REQUEST_RULES = {
  'at most one request per key': oneRequestPerKey,
  'a key with another body is refused': otherBodyIsRefused,
  'facts equal their pinned version': factsEqualPinnedVersion,
  'status paths walk the table, one event a step': statusPathsWalkTheTable,
  'each request listed once, by its status': requestsListedOnce,
  'payment paths walk the table, one message a step': paymentPathsWalkTheTable,
  'payment paths walk the table, one event a step': paymentEventsWalkTheTable,
  'revoked connections hold nothing pending': revokedConnectionsHoldNothingPending,
};
