-- Reported as failed after it was signed, where only the chain gives back what is reserved of its policy: the chain has
-- not spoken yet.
alter table agent_payments add column is_spend_held boolean not null default false;
