import type { Sql } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import type { Allowlist, Payees } from './pins.ts';
import { selectPayees } from './sql.ts';

/** The Recipients that an allowlist names, as they are at this moment. It names the merchant's and nobody else's. */
export async function lookUpPayees(sql: Sql, merchantId: string, allowlist: Allowlist): Promise<Payees> {
  const recipientIds = [...new Set((allowlist ?? []).flatMap((entry) => entry.recipient_id ?? []))];
  if (recipientIds.length === 0) return new Map();
  const rows = await selectPayees(sql, merchantId, recipientIds);
  if (rows.length < recipientIds.length) throw notFound();
  return new Map(rows.map((row) => [row.recipient_id, row]));
}
