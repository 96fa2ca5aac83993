-- True when another device of the wallet than the one that had signed reported on.
alter table payment_request_events add column takeover boolean;
