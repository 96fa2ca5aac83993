import type { AuditEventType } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { type AuditActor, recordAudit } from '../audit/record.ts';
import { mailName } from '../notices/mail-name.ts';
import { type AccessChange, queueAccessMail } from '../notices/queue.ts';
import { listOrganizations, type PasskeyRow } from './sql.ts';

/** One that counts from its registration counts even for a call that began before it and took its turn after it. */
export function isEffective(
  { created_at, effective_at }: Pick<PasskeyRow, 'created_at' | 'effective_at'>,
  now: Date,
): boolean {
  return effective_at <= now || effective_at <= created_at;
}

export interface PasskeyChange {
  type: Extract<AuditEventType, `passkey.${string}`>;
  change: AccessChange;
  /** Of the operator whose passkey it is. */
  email: string;
  /** The operator when absent. */
  actor?: AuditActor;
  facts?: readonly (readonly [name: string, value: string])[];
  /** The mail has a link that cancels it. */
  isCancellable?: boolean;
}

/** A passkey counts in every organization of its operator, so each of them has it on record and gets the mail. */
export async function announce(
  tx: Tx,
  act: Act,
  row: Pick<PasskeyRow, 'account_id' | 'passkey_id' | 'name'>,
  { type, change, email, actor, facts = [], isCancellable = false }: PasskeyChange,
): Promise<void> {
  for (const { merchant_id: merchantId, name } of await listOrganizations(tx, row.account_id)) {
    await recordAudit(tx, act, {
      merchantId,
      type,
      actor: actor ?? { kind: 'operator', id: row.account_id },
      target: { type: 'passkey', id: row.passkey_id },
      details: { name: row.name, operator_id: row.account_id },
    });
    const notice = {
      merchant_name: name,
      change,
      facts: [['Operator', email], ['Passkey', mailName(row.name)], ...facts],
      ...(isCancellable ? { passkey_id: row.passkey_id } : {}),
    } as const;
    await queueAccessMail(tx, act, merchantId, notice, [email]);
  }
}
