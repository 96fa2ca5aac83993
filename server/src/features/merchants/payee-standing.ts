/**
 * The current state of a payee version `v`, for records that are pinned to it. Everything needed is in its own row: a
 * read of a payment costs one probe more, by primary key.
 */

/** New payments go there. */
export const IS_CURRENT = `(v.status = 'active' and v.suspended_at is null and v.retired_at is null
  and v.merchant_suspended_at is null)`;

/** The domain of its evidence has lapsed, or the host has suspended its merchant. */
export const IS_SUSPENDED = '(v.suspended_at is not null or v.merchant_suspended_at is not null)';

/**
 * The version has since been activated under another domain than the record names; `alias` is the row that pinned it.
 * The evidence is read only where an activation may be newer than the record, which is rare.
 */
export const isMovedSince = (alias: 'r' | 'o'): string => `(case
  when v.activated_at > ${alias}.created_at - interval '1 minute' then (
    select e.domain from recipient_evidence e
    where e.merchant_id = v.merchant_id and e.evidence_id = v.evidence_id) <> ${alias}.payee->>'domain'
  else false end)`;
