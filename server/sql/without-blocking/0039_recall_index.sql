-- The released form built an index here that 0044 drops: what a recall would end is found in pending_requests.
select;
