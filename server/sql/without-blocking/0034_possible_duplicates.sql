-- What a person should know before deciding: earlier requests like this one, and amounts that no network can carry.
alter table payment_requests add column risk json;
create trigger payment_request_risk_is_final before update of risk
  on payment_requests for each row execute function refuse_fact_change();

-- One number for connection, payee and value of the amount, whatever way it is written: entries of 16 bytes instead of
-- three texts. Two payments that share it by chance are told apart by the row. The index that has it is built by 0044,
-- for requests of any status.
create function same_payment(connection_id id, recipient_id id, amount text) returns bigint
  language sql immutable parallel safe as $$
  select hash_numeric_extended(amount::numeric, hashtextextended(connection_id || ' ' || recipient_id, 0))
$$;
