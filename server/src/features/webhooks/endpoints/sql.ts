import type { WebhookEndpointStatus } from '@payassent/protocol';
import type { Sql, Tx } from '../../../db/open.ts';
import { mayBecome } from '../../../db/status.ts';
import { newestFirst, type PageRead } from '../../page.ts';
import type { EndpointRow } from './view.ts';

/** Serializes counts of one merchant's endpoints. */
export async function lockMerchant(tx: Tx, merchantId: string): Promise<void> {
  await tx`select from merchants where merchant_id = ${merchantId} for no key update`;
}

export async function countEndpoints(tx: Tx, merchantId: string): Promise<number> {
  const [row] = await tx<[{ count: number }]>`
    select count(*)::int as count from webhook_endpoints
    where merchant_id = ${merchantId} and deleted_at is null`;
  return row.count;
}

export async function selectEndpoint(db: Sql, merchantId: string, endpointId: string) {
  const rows = await db<EndpointRow[]>`
    select * from webhook_endpoints
    where webhook_endpoint_id = ${endpointId} and merchant_id = ${merchantId} and deleted_at is null`;
  return rows[0];
}

export async function lockEndpoint(tx: Tx, merchantId: string, endpointId: string) {
  const rows = await tx<EndpointRow[]>`
    select * from webhook_endpoints
    where webhook_endpoint_id = ${endpointId} and merchant_id = ${merchantId} and deleted_at is null
    for no key update`;
  return rows[0];
}

export function listEndpoints(db: Sql, merchantId: string, page: PageRead): Promise<EndpointRow[]> {
  return db<EndpointRow[]>`
    select * from webhook_endpoints where merchant_id = ${merchantId} and deleted_at is null
    ${newestFirst(db, page, 'webhook_endpoint_id')}`;
}

/**
 * Only the locked version of the row is changed. An endpoint that becomes active starts without a history of failures;
 * one that leaves `active` records when.
 */
export async function updateEndpoint(
  tx: Tx,
  merchantId: string,
  endpoint: Pick<EndpointRow, 'webhook_endpoint_id' | 'version'>,
  change: { url: string; eventTypes: readonly string[]; status: WebhookEndpointStatus },
  now: Date,
): Promise<EndpointRow | undefined> {
  const rows = await tx<EndpointRow[]>`
    update webhook_endpoints
    set url = ${change.url}, event_types = ${[...change.eventTypes]}::text[], status = ${change.status},
        inactive_since = case when ${change.status} = 'active' then null else coalesce(inactive_since, ${now}) end,
        failing_since = case when status = ${change.status} then failing_since end,
        version = version + 1, updated_at = ${now}
    where webhook_endpoint_id = ${endpoint.webhook_endpoint_id} and merchant_id = ${merchantId}
      and version = ${endpoint.version} and deleted_at is null
      and ${mayBecome(tx, 'webhook_endpoint', change.status, 'merchant', { orIs: true })}
    returning *`;
  return rows[0];
}

/** Its secrets go with it: nothing will be signed with them any more. */
export async function markEndpointDeleted(tx: Tx, merchantId: string, endpointId: string, now: Date) {
  const rows = await tx<EndpointRow[]>`
    update webhook_endpoints
    set deleted_at = ${now}, updated_at = ${now}, version = version + 1, secret_box = '',
        previous_secret_key_id = null, previous_secret_box = null, previous_secret_expires_at = null
    where webhook_endpoint_id = ${endpointId} and merchant_id = ${merchantId} and deleted_at is null
    returning *`;
  return rows[0];
}

/** Disabled by the service: only an endpoint that is still active, and has been failing for as long as claimed. */
export async function disableEndpoint(
  tx: Tx,
  endpointId: string,
  guard: { failingSinceBefore: Date | undefined },
  now: Date,
): Promise<EndpointRow | undefined> {
  const { failingSinceBefore } = guard;
  const rows = await tx<EndpointRow[]>`
    update webhook_endpoints
    set status = 'disabled', inactive_since = ${now}, version = version + 1, updated_at = ${now}
    where webhook_endpoint_id = ${endpointId} and ${mayBecome(tx, 'webhook_endpoint', 'disabled', 'system')}
      and status = 'active' and deleted_at is null
      ${failingSinceBefore ? tx`and failing_since <= ${failingSinceBefore}` : tx``}
    returning *`;
  return rows[0];
}
