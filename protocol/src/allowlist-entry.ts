/** One payee that a policy lets an agent pay. Stands apart from its schema: the SDK has it, and no schema. */
export interface AllowlistEntry {
  recipient_id?: string;
  /** The version that the user sees or has accepted. */
  recipient_version_id?: string | null;
  address?: string;
  /** Beside an address: none means that the payment has none. */
  memo?: string;
}
