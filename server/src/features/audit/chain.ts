import { createHash } from 'node:crypto';
import { canonicalJson } from '@payassent/protocol';
import { toTimestamp } from '../../lib/clock.ts';

/** The hash before the first link. */
export const GENESIS = Buffer.alloc(32);

/** SHA-256 over the previous hash and RFC 8785 of the whole entry, tenant and wallet included. */
export function linkHash(previous: Uint8Array, row: AuditRow): Buffer {
  return createHash('sha256').update(previous).update(canonicalEntry(row)).digest();
}

export function hashText(hash: Uint8Array): string {
  return `sha256:${Buffer.from(hash).toString('hex')}`;
}

function canonicalEntry(row: AuditRow): string {
  const { merchant_id, wallet_id, device_id } = row;
  const entry = { ...auditView(row), merchant_id, wallet_id, device_id };
  try {
    return canonicalJson(entry);
  } catch {
    // A lone surrogate in the details has no canonical form. One such entry must not stop the chain for all others.
    return canonicalJson({ ...entry, details: JSON.stringify(row.details) });
  }
}

export interface AuditRow {
  audit_event_id: string;
  merchant_id: string | null;
  wallet_id: string | null;
  /** The acting device, if any; `actor_id` may be its wallet's pseudonym for one merchant. */
  device_id: string | null;
  type: string;
  actor_kind: string;
  actor_id: string;
  target_type: string;
  target_id: string;
  details: Record<string, unknown>;
  request_id: string;
  occurred_at: Date;
}

/** A merchant's view of its own entries: never which wallet it was. */
export function auditView(row: Omit<AuditRow, 'merchant_id' | 'wallet_id' | 'device_id'>) {
  return {
    audit_event_id: row.audit_event_id,
    type: row.type,
    actor: { kind: row.actor_kind, id: row.actor_id },
    target: { type: row.target_type, id: row.target_id },
    details: row.details,
    request_id: row.request_id,
    occurred_at: toTimestamp(row.occurred_at),
  };
}
