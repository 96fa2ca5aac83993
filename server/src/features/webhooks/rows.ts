/** One event to publish: its message, ready to be sent. */
export interface SaidEvent {
  merchantId: string;
  eventId: string;
  type: string;
  body: string;
}

/**
 * The message and one delivery for each subscribed endpoint, as parts of a statement: they follow a query `said` with
 * event_id, merchant_id, type and now. `body` is the text of the message, from a row `s` of it.
 */
export const webhookRows = (body: string) => `
  wanted as materialized (
    select s.event_id, s.merchant_id, s.type, s.now, w.webhook_endpoint_id
    from said s join webhook_endpoints w
      on w.merchant_id = s.merchant_id and w.status = 'active' and w.deleted_at is null
        and w.queue_full_since is null and w.event_types && array['*', split_part(s.type, '.', 1) || '.*', s.type]
  ), message as (
    insert into webhook_messages (event_id, merchant_id, type, body, created_at)
    select s.event_id, s.merchant_id, s.type, ${body}, s.now
    from said s where exists (select from wanted w where w.event_id = s.event_id)
  ), delivery as (
    insert into webhook_deliveries
      (delivery_id, webhook_endpoint_id, merchant_id, event_id, event_type, attempt, status, run_at, created_at)
    select 'whd_' || substr(event_id, 5, 10) || upper(substr(md5(event_id || webhook_endpoint_id), 1, 16)),
           webhook_endpoint_id, merchant_id, event_id, type, 1, 'pending', now, now
    from wanted
    returning delivery_id
  )`;
