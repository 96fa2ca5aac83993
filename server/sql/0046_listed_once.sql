-- no transaction: calls go on while large tables are read. Begun again after a failure, it comes to the same.

-- A report that began just before another one of the same request was committed could leave the request listed under
-- its former status as well.
delete from requests_by_status s using payment_requests r
where r.merchant_id = s.merchant_id and r.request_id = s.request_id and r.connection_id = s.connection_id
  and r.status <> s.status;
