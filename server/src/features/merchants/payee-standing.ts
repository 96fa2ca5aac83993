/**
 * What a Recipient version `v` is at this moment, for records that are pinned to it. Everything needed is in its own row:
 * a read of a payment costs one probe more, by primary key.
 */

/** New payments go there. */
export const IS_CURRENT = `(v.status = 'active' and v.suspended_at is null and v.retired_at is null
  and v.merchant_suspended_at is null)`;

/** The domain of its evidence no longer vouches for it, or the operator of the service has suspended its merchant. */
export const IS_SUSPENDED = '(v.suspended_at is not null or v.merchant_suspended_at is not null)';
