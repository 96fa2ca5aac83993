-- Webhooks are signed with a key of the service as well, which is published beside the others.
alter table signing_keys
  drop constraint signing_keys_use_check,
  add constraint signing_keys_use_check check (use in ('evidence', 'log', 'webhook'));
