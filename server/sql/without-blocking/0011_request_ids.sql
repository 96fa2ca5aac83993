-- no transaction: calls go on while large tables are read. Begun again after a failure, it comes to the same.

-- A request's id belongs to its connection: one customer can neither block nor probe the ids of another one.
-- In this order a merchant finds an id without knowing the connection.
drop index concurrently if exists payment_requests_new_pkey;
create unique index concurrently payment_requests_new_pkey
  on payment_requests (merchant_id, request_id, connection_id);
alter table payment_requests drop constraint payment_requests_pkey,
  add constraint payment_requests_pkey primary key using index payment_requests_new_pkey;

drop index concurrently if exists payment_request_events_new_step;
create unique index concurrently payment_request_events_new_step
  on payment_request_events (connection_id, request_id, state_version);
do $$ begin drop index payment_request_events_one_per_step; alter index payment_request_events_new_step rename to payment_request_events_one_per_step; end $$;
