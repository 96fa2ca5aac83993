-- A request's id belongs to its connection: one customer can neither block nor probe the ids of another one.

alter table payment_requests drop constraint payment_requests_pkey;
-- In this order a merchant finds an id without knowing the connection.
alter table payment_requests add primary key (merchant_id, request_id, connection_id);

drop index payment_request_events_one_per_step;
create unique index payment_request_events_one_per_step on payment_request_events (connection_id, request_id, state_version);
