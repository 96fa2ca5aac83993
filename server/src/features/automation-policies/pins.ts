import type { AllowlistEntry, RecipientStatus } from '@payassent/protocol';
import { AppError } from '../../errors.ts';

/** A payee in one version. */
export interface Pin {
  recipient_id: string;
  recipient_version_id: string;
}

/** The current state of a merchant's payee. */
export interface PayeeNow {
  recipient_id: string;
  status: RecipientStatus;
  version_id: string | null;
}

export type Allowlist = readonly AllowlistEntry[] | null;
export type Payees = ReadonlyMap<string, PayeeNow>;

/** Archived and suspended payees still have their last version, but cannot be paid. */
function versionOf(payee: PayeeNow | undefined): string | null {
  return payee?.status === 'active' ? payee.version_id : null;
}

/**
 * Each payee in its active version. One that cannot be paid now gets no pin: the policy names it, covers nothing for it
 * and cannot be accepted with it.
 */
export function pinned(allowlist: Allowlist, payees: Payees): AllowlistEntry[] | null {
  return withPins(allowlist, (recipientId) => versionOf(payees.get(recipientId)));
}

/** The same entries with the versions that the record shows: those proposed to the customer, or else those in force. */
export function asShown(
  allowlist: Allowlist,
  shown: { allowlist: Allowlist; proposed: readonly Pin[] | null },
): AllowlistEntry[] | null {
  const pins = new Map<string, string>();
  for (const pin of [...pinsOf(shown.allowlist), ...(shown.proposed ?? [])])
    pins.set(pin.recipient_id, pin.recipient_version_id);
  return withPins(allowlist, (recipientId) => pins.get(recipientId) ?? null);
}

function withPins(
  allowlist: Allowlist,
  versionIdOf: (recipientId: string) => string | null,
): AllowlistEntry[] | null {
  if (allowlist === null) return null;
  return allowlist.map((entry) => {
    const { recipient_id } = entry;
    if (recipient_id === undefined) return entry;
    const recipient_version_id = versionIdOf(recipient_id);
    return recipient_version_id === null ? { recipient_id } : { recipient_id, recipient_version_id };
  });
}

export function pinsOf(allowlist: Allowlist): Pin[] {
  return (allowlist ?? []).flatMap(({ recipient_id, recipient_version_id }) =>
    recipient_id === undefined || !recipient_version_id ? [] : [{ recipient_id, recipient_version_id }],
  );
}

/** The same entries in the same order. */
export function areEqual(one: Allowlist, other: Allowlist): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** A payee that cannot be paid cannot be accepted: it has no version that the customer could have seen. */
export function refuseUnpayable(allowlist: Allowlist, payees: Payees): void {
  for (const { recipient_id } of allowlist ?? []) {
    if (recipient_id === undefined) continue;
    if (versionOf(payees.get(recipient_id)) === null)
      throw new AppError('recipient_not_active', { details: { recipient_id } });
  }
}
