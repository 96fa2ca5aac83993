-- What a recall would end. All pending requests of a payee share one entry until there is a new generation, so that a
-- create writes little; in which order a sweep takes them does not matter.
drop index payment_requests_by_recipient;
create index payment_requests_by_recipient on payment_requests (recipient_id, recall_generation) where status = 'pending';
