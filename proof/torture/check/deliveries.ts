import { createHash } from 'node:crypto';
import { calmTimes, type Evidence, finding, groupBy, type Invariant, succeeded } from './evidence.ts';
import type { Row, Tables } from './tables.ts';

/** The endpoints that were active all the time and want everything. */
function stableEndpoints({ tables }: Evidence): Map<string, Row<'webhook_endpoints'>> {
  const stable = tables.webhook_endpoints.filter((row) => row.url.endsWith('/stable'));
  return new Map(stable.map((row) => [row.merchant_id, row]));
}

/** Ids are only unique within a connection. */
function nameOf(request: { connection_id: string; request_id: string }): string {
  return `${request.connection_id} ${request.request_id}`;
}

/** Every event has its message, and the message a delivery to the endpoint that is always subscribed. */
const everyEventHasItsDeliveries: Invariant = (evidence) => {
  const { tables, attempts } = evidence;
  const result = finding();
  const stable = stableEndpoints(evidence);
  const messages = new Map(tables.webhook_messages.map((row) => [row.event_id, row]));
  const queued = new Set(
    tables.webhook_deliveries.map((row) => `${row.webhook_endpoint_id} ${row.event_id}`),
  );
  for (const event of [...tables.payment_request_events, ...tables.agent_payment_events]) {
    if (!stable.has(event.merchant_id)) continue;
    result.expect(
      messages.get(event.event_id)?.type === event.type,
      () => `${event.type} ${event.event_id} has no message`,
    );
  }
  for (const message of tables.webhook_messages) {
    const endpoint = stable.get(message.merchant_id);
    if (!endpoint) continue;
    result.expect(
      queued.has(`${endpoint.webhook_endpoint_id} ${message.event_id}`),
      () => `${message.type} ${message.event_id} was never queued for ${endpoint.webhook_endpoint_id}`,
    );
  }
  const created = groupBy(
    tables.webhook_messages.filter((row) => row.type === 'payment_request.created'),
    (row) => `${row.merchant_id} ${nameOf(JSON.parse(row.body).data.payment_request)}`,
  );
  for (const row of tables.payment_requests) {
    if (!stable.has(row.merchant_id)) continue;
    const count = created.get(`${row.merchant_id} ${nameOf(row)}`)?.length ?? 0;
    result.expect(count === 1, () => `${row.request_id} has ${count} messages of its creation`);
  }
  const activated = new Set(
    tables.webhook_messages
      .filter((row) => row.type === 'recipient.version_activated')
      .map((row) => JSON.parse(row.body).data.recipient_version.recipient_version_id),
  );
  const setupEnds = attempts.findLast((attempt) => attempt.actor === 'setup')?.n ?? -1;
  for (const attempt of attempts) {
    if (attempt.n <= setupEnds || !attempt.path.endsWith('/activate') || !succeeded(attempt)) continue;
    const id = attempt.answer?.body.recipient_version?.recipient_version_id;
    if (id !== undefined) result.expect(activated.has(id), () => `activation of ${id} has no message`);
  }
  return result;
};

const REDELIVERY = /^\/v1\/webhook-deliveries\/([^/]+)\/redeliver$/;

/** Attempts of one message to one endpoint are numbered 1, 2, … and at most one of them is still to come. */
const attemptsAreOneChain: Invariant = ({ tables, attempts }) => {
  const result = finding();
  const redelivered = new Map<string, number>();
  for (const { path, method } of attempts) {
    const id = method === 'POST' ? REDELIVERY.exec(path)?.[1] : undefined;
    if (id !== undefined) redelivered.set(id, (redelivered.get(id) ?? 0) + 1);
  }
  const chains = groupBy(tables.webhook_deliveries, (row) => `${row.webhook_endpoint_id} ${row.event_id}`);
  for (const [name, rows] of chains) {
    // Each redelivery that was requested may have begun a separate chain.
    const most = 1 + rows.reduce((sum, row) => sum + (redelivered.get(row.delivery_id) ?? 0), 0);
    const counts = groupBy(rows, (row) => String(row.attempt));
    for (const [attempt, same] of counts) {
      const before = Number(attempt) === 1 || counts.has(String(Number(attempt) - 1));
      result.expect(same.length <= most && before, () => `${name}: ${same.length} times attempt ${attempt}`);
    }
    const pending = rows.filter((row) => row.status === 'pending').length;
    result.expect(pending <= most, () => `${name}: ${pending} attempts wait concurrently`);
  }
  return result;
};

/** Endpoints by the path of their URL, which is what receivers know. */
const placesOf = ({ webhook_endpoints: rows }: Tables) =>
  new Map(rows.map((row) => [row.webhook_endpoint_id, new URL(row.url).pathname]));

/** What is written down as delivered came to its receiver, whole, genuine, byte for byte the stored message. */
const deliveredMeansReceived: Invariant = ({ tables, receipts, attempts }) => {
  const result = finding();
  const bodies = new Map(
    tables.webhook_messages.map((row) => [row.event_id, createHash('sha256').update(row.body).digest('hex')]),
  );
  const received = groupBy(receipts, (receipt) => `${receipt.place} ${receipt.eventId}`);
  const places = placesOf(tables);
  for (const row of tables.webhook_deliveries) {
    if (row.status !== 'delivered' || !bodies.has(row.event_id)) continue;
    const came = received.get(`${places.get(row.webhook_endpoint_id)} ${row.event_id}`) ?? [];
    result.expect(
      came.some((receipt) => receipt.status === 200),
      () => `${row.delivery_id} is delivered, and ${came.length} receipts contradict that`,
    );
  }
  // A rotation whose response was lost leaves a secret in force that its owner never saw.
  const unsure = new Set(
    attempts
      .filter((attempt) => attempt.path.endsWith('/rotate-secret') && attempt.answer === undefined)
      .map((attempt) => places.get(attempt.path.split('/')[3] ?? '')),
  );
  for (const receipt of receipts) {
    if (receipt.at > tables.readAt) continue;
    const body = bodies.get(receipt.eventId);
    result.expect(
      body === receipt.bodyHash,
      () => `${receipt.eventId} came with other bytes, or from nowhere`,
    );
    if (!unsure.has(receipt.place))
      result.expect(
        receipt.isGenuine,
        () => `${receipt.eventId} came to ${receipt.place} with a wrong signature`,
      );
  }
  return result;
};

const SETTLE_MS = 4000;

/** Without disturbances only one worker handles a delivery: no receiver gets it twice concurrently. */
const noDeliveryTwiceAtOnce: Invariant = ({ tables, receipts, faults, attempts }) => {
  const result = finding();
  const places = placesOf(tables);
  const eventOf = new Map(tables.webhook_deliveries.map((row) => [row.delivery_id, row]));
  const askedAgain = new Set<string>();
  for (const { path } of attempts) {
    const row = eventOf.get(REDELIVERY.exec(path)?.[1] ?? '');
    if (row) askedAgain.add(`${places.get(row.webhook_endpoint_id)} ${row.event_id}`);
  }
  for (const [from, to] of calmTimes(faults, tables.readAt, SETTLE_MS)) {
    const inTime = receipts.filter((receipt) => receipt.at >= from && receipt.at < to);
    for (const [name, group] of groupBy(inTime, (receipt) => `${receipt.place} ${receipt.eventId}`)) {
      if (askedAgain.has(name)) continue;
      const sorted = group.toSorted((a, b) => a.at - b.at);
      const overlap = sorted.findIndex((receipt, index) => {
        const before = sorted[index - 1];
        return before !== undefined && receipt.at < (before.endAt ?? Infinity);
      });
      result.expect(overlap === -1, () => `${name} came again while it was under way`);
    }
  }
  return result;
};

export const DELIVERY_RULES = {
  'every event has its deliveries': everyEventHasItsDeliveries,
  'delivery attempts form one chain': attemptsAreOneChain,
  'delivered means received, genuine and unchanged': deliveredMeansReceived,
  'no delivery twice concurrently': noDeliveryTwiceAtOnce,
};
