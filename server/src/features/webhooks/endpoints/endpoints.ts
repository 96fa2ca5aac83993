import { allowedNext, newWebhookSecret, type WebhookEndpointStatus } from '@payassent/protocol';
import type { Act } from '../../../act.ts';
import type { Tx } from '../../../db/open.ts';
import { AppError, invalid, limitReached, notFound, versionConflict } from '../../../errors.ts';
import { addMs, DAY_MS } from '../../../lib/clock.ts';
import type { Keys } from '../../../lib/keys.ts';
import { FIXED_CAPS } from '../../../limits.ts';
import type { MerchantPrincipal } from '../../../principals.ts';
import { type AuditEntry, audit, auditActor, recordAudit } from '../../audit/record.ts';
import { queueOwnerMail } from '../../notices/queue.ts';
import { cancelQueue } from '../delivery-sql.ts';
import { announceQueue } from '../queue.ts';
import { hostIn } from '../send.ts';
import type { EndpointChange, EndpointInput } from './schema.ts';
import { sealSecret } from './secrets.ts';
import { countEndpoints, lockEndpoint, lockMerchant, markEndpointDeleted, updateEndpoint } from './sql.ts';
import type { EndpointRow } from './view.ts';

const MAX_ENDPOINTS = FIXED_CAPS.endpoints.count;

/** The secret is shown in this response and never again. */
export async function createEndpoint(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  input: EndpointInput,
  keys: Keys,
): Promise<{ endpoint: EndpointRow; secret: string }> {
  const { merchantId } = principal;
  await lockMerchant(tx, merchantId);
  if ((await countEndpoints(tx, merchantId)) >= MAX_ENDPOINTS) {
    throw limitReached(
      `An organization has at most ${MAX_ENDPOINTS} webhook endpoints: delete one first.`,
      MAX_ENDPOINTS,
    );
  }
  const id = act.newId('whe');
  const secret = newWebhookSecret(act.randomBytes);
  const sealed = sealSecret(keys, id, secret);
  const eventTypes = [...new Set(input.event_types ?? ['*'])];
  const [endpoint] = await tx<[EndpointRow]>`
    insert into webhook_endpoints
      (webhook_endpoint_id, merchant_id, url, event_types, status, secret_key_id, secret_box,
       inactive_since, created_at, updated_at)
    values (${id}, ${merchantId}, ${input.url}, ${eventTypes}::text[], 'pending_verification',
            ${sealed.keyId}, ${sealed.box}, ${act.now}, ${act.now}, ${act.now})
    returning *`;
  await audit(tx, act, principal, merchantId, 'webhook_endpoint.created', id, {
    host: hostIn(endpoint.url),
    event_types: endpoint.event_types,
  });
  return { endpoint, secret };
}

interface PlannedChange {
  before: EndpointRow;
  url: string;
  eventTypes: readonly string[];
  status: WebhookEndpointStatus;
  /** The endpoint must respond to a challenge before the change is made. */
  needsProof: boolean;
}

/** The resulting change, or an error. Nothing is written: the endpoint may have to respond to a challenge first. */
export async function planChange(
  tx: Tx,
  principal: MerchantPrincipal,
  endpointId: string,
  input: EndpointChange,
): Promise<PlannedChange> {
  if (Object.keys(input).every((member) => member === 'version')) {
    throw invalid([
      { field: 'body', code: 'required', message: 'Name what to change: url, event_types or status.' },
    ]);
  }
  const before = await lockEndpoint(tx, principal.merchantId, endpointId);
  if (!before) throw notFound();
  if (before.version !== input.version) throw versionConflict(before.version);
  const url = input.url ?? before.url;
  const hasNewUrl = url !== before.url;
  const from = hasNewUrl ? 'pending_verification' : before.status;
  const status = input.status ?? from;
  if (status === 'active' && from === 'pending_verification') throw unverified(from, hasNewUrl);
  return {
    before,
    url,
    eventTypes: input.event_types ? [...new Set(input.event_types)] : before.event_types,
    status,
    needsProof: status === 'active' && before.status !== 'active',
  };
}

/** Writes a planned change; rejected when the record has changed since it was planned. */
export async function applyChange(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  plan: PlannedChange,
): Promise<EndpointRow> {
  const { before } = plan;
  if (!isChange(plan)) return before;
  const after = await updateEndpoint(tx, principal.merchantId, before, plan, act.now);
  if (!after) {
    const current = await lockEndpoint(tx, principal.merchantId, before.webhook_endpoint_id);
    throw current ? versionConflict(current.version) : notFound();
  }
  await recordAudit(tx, act, ...auditEntries(principal, before, after));
  if (before.url !== after.url)
    await queueOwnerMail(tx, act, principal, {
      change: 'webhook_url_changed',
      facts: [
        ['Endpoint', after.webhook_endpoint_id],
        // Without path and query, which may carry a secret.
        ['Previous host', hostIn(before.url)],
        ['Host', hostIn(after.url)],
      ],
    });
  // The endpoint's waiting deliveries continue immediately.
  if (after.status === 'active' && before.status !== 'active') announceQueue(tx, act);
  return after;
}

function isChange({ before, url, eventTypes, status }: PlannedChange): boolean {
  return (
    url !== before.url ||
    status !== before.status ||
    JSON.stringify(eventTypes) !== JSON.stringify(before.event_types)
  );
}

function unverified(from: WebhookEndpointStatus, hasNewUrl: boolean): AppError {
  return new AppError('invalid_status_transition', {
    message: hasNewUrl
      ? 'A new url has to be verified first: change it, then call verify.'
      : 'The endpoint has never responded to a challenge: call verify, which activates it.',
    details: {
      from,
      to: 'active',
      // A PATCH does not verify: that is a separate call.
      allowed: allowedNext('webhook_endpoint', from, 'merchant').filter((next) => next !== 'active'),
    },
  });
}

function auditEntries(principal: MerchantPrincipal, before: EndpointRow, after: EndpointRow): AuditEntry[] {
  const entry = (type: AuditEntry['type'], details: Record<string, unknown>): AuditEntry => ({
    merchantId: principal.merchantId,
    type,
    actor: auditActor(principal),
    target: { type: 'webhook_endpoint', id: after.webhook_endpoint_id },
    details,
  });
  const entries: AuditEntry[] = [];
  const changed: Record<string, unknown> = {};
  if (before.url !== after.url)
    changed['url'] = { from_host: hostIn(before.url), to_host: hostIn(after.url) };
  if (before.event_types.join() !== after.event_types.join())
    changed['event_types'] = { from: before.event_types, to: after.event_types };
  if (Object.keys(changed).length > 0) entries.push(entry('webhook_endpoint.updated', changed));
  if (before.status !== after.status && after.status !== 'pending_verification') {
    const type = after.status === 'active' ? 'webhook_endpoint.verified' : 'webhook_endpoint.disabled';
    entries.push(entry(type, { from: before.status, to: after.status }));
  }
  return entries;
}

/** How long the previous secret also signs. */
const OVERLAP_MS = DAY_MS;

export async function rotateSecret(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  endpointId: string,
  keys: Keys,
): Promise<{ endpoint: EndpointRow; secret: string }> {
  const { merchantId } = principal;
  const secret = newWebhookSecret(act.randomBytes);
  const overlapEnd = addMs(act.now, OVERLAP_MS);
  const sealed = sealSecret(keys, endpointId, secret);
  // The secret in use becomes the previous one; a third one is deleted immediately.
  const [endpoint] = await tx<EndpointRow[]>`
    update webhook_endpoints
    set previous_secret_key_id = secret_key_id, previous_secret_box = secret_box,
        previous_secret_expires_at = ${overlapEnd},
        secret_key_id = ${sealed.keyId}, secret_box = ${sealed.box},
        version = version + 1, updated_at = ${act.now}
    where webhook_endpoint_id = ${endpointId} and merchant_id = ${merchantId} and deleted_at is null
    returning *`;
  if (!endpoint) throw notFound();
  await audit(tx, act, principal, merchantId, 'webhook_endpoint.secret_rotated', endpointId, {
    former_secret_signs_until: overlapEnd.toISOString(),
  });
  return { endpoint, secret };
}

const CANCEL_AT_ONCE = 5_000;

/** A longer queue is cancelled in the background; none of it is sent either way. */
export async function deleteEndpoint(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  endpointId: string,
): Promise<EndpointRow> {
  const { merchantId } = principal;
  const endpoint = await markEndpointDeleted(tx, merchantId, endpointId, act.now);
  if (!endpoint) throw notFound();
  const cancelled = await cancelQueue(tx, merchantId, endpointId, CANCEL_AT_ONCE);
  if (cancelled === CANCEL_AT_ONCE) announceQueue(tx, act);
  await audit(tx, act, principal, merchantId, 'webhook_endpoint.deleted', endpointId, {
    host: hostIn(endpoint.url),
    cancelled_deliveries: cancelled,
  });
  return endpoint;
}
