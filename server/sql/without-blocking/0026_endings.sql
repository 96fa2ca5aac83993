-- no transaction: calls go on while large tables are read. Begun again after a failure, it comes to the same.

-- Revocation and recall commit at once: what was pending is ended by that commit, and settled by whoever meets it first
-- or by a job in batches.

-- A request is pinned to the generation of its Recipient. A recall opens the next one and ends all that are older.
alter table recipients add column if not exists recall_generation int not null default 0;
alter table payment_requests add column if not exists recall_generation int not null default 0;
alter table agent_payments add column if not exists recall_generation int not null default 0;
create or replace trigger payment_request_generation_is_final before update of recall_generation
  on payment_requests for each row execute function refuse_fact_change();
create or replace trigger agent_payment_generation_is_final before update of recall_generation
  on agent_payments for each row execute function refuse_fact_change();

create table if not exists recipient_recalls (
  recipient_id id          not null references recipients,
  generation   int         not null, -- that it opened
  merchant_id  id          not null,
  recalled_at  timestamptz not null,
  swept_at     timestamptz, -- nothing older was found pending any more
  closed_at    timestamptz, -- and later nothing that was just being stored at that moment
  primary key (recipient_id, generation)
);
create index if not exists recipient_recalls_open on recipient_recalls (merchant_id) where swept_at is null;
create index if not exists recipient_recalls_due on recipient_recalls (recalled_at) where closed_at is null;

-- Connections that are revoked and still have something to settle. Those of a wallet without devices also wait for
-- their audit entry and their webhook. A queue, nearly empty at any time.
alter table connection_revocations
  add column if not exists merchant_id  id,
  add column if not exists announced_at timestamptz;
update connection_revocations w set merchant_id = c.merchant_id
from connections c where c.connection_id = w.connection_id and w.merchant_id is null;
alter table connection_revocations alter column merchant_id set not null;
create index if not exists connection_revocations_by_merchant on connection_revocations (merchant_id);
create index if not exists connection_revocations_by_age on connection_revocations (requested_at);

-- The released form built the lists of requests by status here, and what a recall ends. 0044 builds all of them in another
-- way: until then those of schema 8 do.
drop index concurrently if exists agent_payments_by_recipient;
create index concurrently agent_payments_by_recipient on agent_payments (recipient_id) where status = 'intent_created';

drop index concurrently if exists webhook_deliveries_new_by_merchant;
create index concurrently webhook_deliveries_new_by_merchant
  on webhook_deliveries (merchant_id, status, created_at desc, delivery_id desc);
do $$ begin drop index webhook_deliveries_by_merchant; alter index webhook_deliveries_new_by_merchant rename to webhook_deliveries_by_merchant; end $$;
drop index concurrently if exists audit_events_by_type;
create index concurrently audit_events_by_type on audit_events (merchant_id, type, occurred_at desc, audit_event_id desc);
drop index concurrently if exists audit_events_by_target;
create index concurrently audit_events_by_target
  on audit_events (merchant_id, target_id, occurred_at desc, audit_event_id desc);

alter table payment_request_events drop constraint if exists payment_request_events_actor_check;
alter table payment_request_events add constraint payment_request_events_actor_check
  check (actor in ('wallet', 'system', 'agent', 'merchant', 'observer')) not valid;
alter table payment_request_events validate constraint payment_request_events_actor_check;
