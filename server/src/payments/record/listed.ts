/**
 * Keeps the tables next to `payment_requests` that hold a status: a part of every statement that changes one. It
 * follows a query `numbered` of the changed requests with their `previous_status`.
 */
export const LISTED = `no_longer_pending as (
      delete from pending_requests p using numbered m
      where m.previous_status = 'pending' and p.merchant_id = m.merchant_id and p.connection_id = m.connection_id
        and p.expires_at = m.expires_at and p.request_id = m.request_id
    ), no_longer_listed as (
      delete from requests_by_status s using numbered m
      where m.previous_status <> 'pending' and s.merchant_id = m.merchant_id and s.connection_id = m.connection_id
        and s.status = m.previous_status and s.created_at = m.created_at and s.request_id = m.request_id
    ), listed as (
      insert into requests_by_status (merchant_id, connection_id, status, created_at, request_id, written_by)
      select merchant_id, connection_id, status, created_at, request_id, written_by from numbered
    )`;
