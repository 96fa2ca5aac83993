import { createHash } from 'node:crypto';
import { canonicalJson } from '@payassent/protocol';
import { type AuditRow, auditView } from './view.ts';

/** What stands before the first link. */
export const GENESIS = Buffer.alloc(32);

/** SHA-256 over the former hash and RFC 8785 of the whole entry, tenant and wallet included. */
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
    // Half a character in the details has no canonical form. One such entry must not stop the chain for all others.
    return canonicalJson({ ...entry, details: JSON.stringify(row.details) });
  }
}
