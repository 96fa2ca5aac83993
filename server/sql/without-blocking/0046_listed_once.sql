-- no transaction: calls go on while large tables are read. Begun again after a failure, it comes to the same.

-- A report that began just before another one of the same request was committed could leave the request listed under
-- its former status as well. Few did: they are looked for without a lock, and looked at again one by one.
do $$
declare
  found record;
begin
  for found in
    select s.merchant_id, s.connection_id, s.status, s.created_at, s.request_id
    from requests_by_status s join payment_requests r
      on r.merchant_id = s.merchant_id and r.request_id = s.request_id and r.connection_id = s.connection_id
    where r.status <> s.status
  loop
    delete from requests_by_status s using payment_requests r
    where s.merchant_id = found.merchant_id and s.connection_id = found.connection_id and s.status = found.status
      and s.created_at = found.created_at and s.request_id = found.request_id
      and r.merchant_id = found.merchant_id and r.request_id = found.request_id and r.connection_id = found.connection_id
      and r.status <> found.status;
    commit;
  end loop;
end $$;
