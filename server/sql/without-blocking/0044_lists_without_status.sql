-- no transaction: calls continue while large tables are read. Begun again after a failure, it comes to the same.

-- Since 0043 every change is listed. Here comes what was stored before, a thousand requests at a time; what stands in these
-- lists already is passed over. What can still change is held while it is listed, in the order in which everybody locks
-- requests, and looked at again if it has just changed.
do $$
declare
  merchant text;
  reached record;
  ceiling record;
begin
  loop
    select min(r.merchant_id) into merchant from payment_requests r where r.merchant_id > coalesce(merchant, '');
    exit when merchant is null;
    select ''::id as request_id, ''::id as connection_id into reached;
    loop
      -- One merchant at a time: PostgreSQL stops reading an index only by the first column of a comparison of several, and
      -- would read the rest of the merchant for each batch. It also plans by that column alone, and would read the table.
      perform set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true);
      select b.request_id, b.connection_id into ceiling from (
        select r.merchant_id, r.request_id, r.connection_id from payment_requests r
        where r.merchant_id = merchant
          and (r.request_id, r.connection_id) > (reached.request_id, reached.connection_id)
        order by r.merchant_id, r.request_id, r.connection_id limit 1000) b
      order by b.request_id desc, b.connection_id desc limit 1;
      exit when not found;
      insert into pending_requests
        select r.merchant_id, r.connection_id, r.expires_at, r.request_id, r.created_at, r.recipient_id, r.recall_generation
        from payment_requests r
        where r.merchant_id = merchant
          and (r.request_id, r.connection_id) > (reached.request_id, reached.connection_id)
          and (r.request_id, r.connection_id) <= (ceiling.request_id, ceiling.connection_id)
          and r.status = 'pending'
        order by r.merchant_id, r.request_id, r.connection_id for share
        on conflict do nothing;
      commit;
      perform set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true);
      insert into requests_by_status
        select r.merchant_id, r.connection_id, r.status, r.created_at, r.request_id
        from payment_requests r
        where r.merchant_id = merchant
          and (r.request_id, r.connection_id) > (reached.request_id, reached.connection_id)
          and (r.request_id, r.connection_id) <= (ceiling.request_id, ceiling.connection_id)
          and r.status in ('signed', 'broadcasted')
        order by r.merchant_id, r.request_id, r.connection_id for share
        on conflict do nothing;
      commit;
      perform set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true);
      insert into requests_by_status
        select r.merchant_id, r.connection_id, r.status, r.created_at, r.request_id
        from payment_requests r
        where r.merchant_id = merchant
          and (r.request_id, r.connection_id) > (reached.request_id, reached.connection_id)
          and (r.request_id, r.connection_id) <= (ceiling.request_id, ceiling.connection_id)
          and r.status in ('confirmed', 'failed', 'expired', 'rejected')
        on conflict do nothing;
      commit;
      reached := ceiling;
    end loop;
  end loop;
end $$;

-- The lists of everything, by time alone. Those of one millisecond are few: they are sorted when they are read.
drop index concurrently if exists payment_requests_new_by_merchant;
create index concurrently payment_requests_new_by_merchant
  on payment_requests (merchant_id, created_at desc);
drop index concurrently if exists payment_requests_new_inbox;
create index concurrently payment_requests_new_inbox
  on payment_requests (wallet_id, created_at desc);
drop index concurrently if exists payment_requests_new_by_connection;
create index concurrently payment_requests_new_by_connection
  on payment_requests (connection_id, created_at desc);
-- Of all, whatever became of them: a create looks at the status of those it finds.
drop index concurrently if exists payment_requests_new_same_payment;
create index concurrently payment_requests_new_same_payment
  on payment_requests (same_payment(connection_id, recipient_id, amount), created_at desc);

-- In the place of the former ones, each at once.
do $$ begin drop index payment_requests_by_merchant; alter index payment_requests_new_by_merchant rename to payment_requests_by_merchant; end $$;
do $$ begin drop index payment_requests_inbox; alter index payment_requests_new_inbox rename to payment_requests_inbox; end $$;
do $$ begin drop index payment_requests_by_connection; alter index payment_requests_new_by_connection rename to payment_requests_by_connection; end $$;
do $$ begin drop index if exists payment_requests_same_payment; alter index payment_requests_new_same_payment rename to payment_requests_same_payment; end $$;
drop index concurrently if exists payment_requests_by_recipient;
drop index concurrently if exists payment_requests_expiry;
drop index concurrently if exists payment_requests_pending;
