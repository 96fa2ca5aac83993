-- Revocation and recall commit at once: what was pending is ended by that commit, and settled by whoever meets it first
-- or by a job in batches.

-- A request is pinned to the generation of its Recipient. A recall opens the next one and ends all that are older.
alter table recipients add column recall_generation int not null default 0;
alter table payment_requests add column recall_generation int not null default 0;
alter table agent_payments add column recall_generation int not null default 0;
create trigger payment_request_generation_is_final before update of recall_generation
  on payment_requests for each row execute function refuse_fact_change();
create trigger agent_payment_generation_is_final before update of recall_generation
  on agent_payments for each row execute function refuse_fact_change();

create table recipient_recalls (
  recipient_id id          not null references recipients,
  generation   int         not null, -- that it opened
  merchant_id  id          not null,
  recalled_at  timestamptz not null,
  swept_at     timestamptz, -- nothing older was found pending any more
  closed_at    timestamptz, -- and later nothing that was just being stored at that moment
  primary key (recipient_id, generation)
);
create index recipient_recalls_open on recipient_recalls (merchant_id) where swept_at is null;
create index recipient_recalls_due on recipient_recalls (recalled_at) where closed_at is null;

-- Connections that are revoked and still have something to settle. Those of a wallet without devices also wait for
-- their audit entry and their webhook.
alter table connection_revocations
  add column merchant_id  id,
  add column announced_at timestamptz;
update connection_revocations w set merchant_id = c.merchant_id
from connections c where c.connection_id = w.connection_id;
alter table connection_revocations alter column merchant_id set not null;
create index connection_revocations_by_merchant on connection_revocations (merchant_id);
create index connection_revocations_by_age on connection_revocations (requested_at);

-- Lists by status read what they show: the status stands in the indexes that were there already, so that a create and a
-- report write as many entries as before. A list of all merges one scan for each status.
drop index payment_requests_by_merchant;
drop index payment_requests_inbox;
drop index payment_requests_by_connection;
create index payment_requests_by_merchant on payment_requests (merchant_id, status, created_at desc, request_id desc);
create index payment_requests_inbox on payment_requests (wallet_id, status, created_at desc, request_id desc);
create index payment_requests_by_connection on payment_requests (connection_id, status, created_at desc, request_id desc);
-- What a recall would end.
create index payment_requests_by_recipient on payment_requests (recipient_id, created_at desc, request_id desc) where status = 'pending';
create index agent_payments_by_recipient on agent_payments (recipient_id) where status = 'intent_created';

drop index webhook_deliveries_by_merchant;
create index webhook_deliveries_by_merchant on webhook_deliveries (merchant_id, status, created_at desc, delivery_id desc);
create index audit_events_by_type on audit_events (merchant_id, type, occurred_at desc, audit_event_id desc);
create index audit_events_by_target on audit_events (merchant_id, target_id, occurred_at desc, audit_event_id desc);

alter table payment_request_events drop constraint payment_request_events_actor_check;
alter table payment_request_events add constraint payment_request_events_actor_check
  check (actor in ('wallet', 'system', 'agent', 'merchant', 'observer'));
