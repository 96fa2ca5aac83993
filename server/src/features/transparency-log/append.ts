import { canonicalJson } from '@payassent/protocol';
import type { ClearEntryType, CommittedEntryType } from '@payassent/protocol/evidence';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';

export interface PayeeEntry {
  /** What the payee stands on; bundles find the entry by it. */
  evidenceId: string;
  domain: string;
  evidenceDigest: string;
}

/** Tells the owner of the domain, and everyone else, what became of a payee: in the transaction in which it does. */
export async function logPayees(
  tx: Tx,
  act: Act,
  type: ClearEntryType,
  payees: readonly PayeeEntry[],
): Promise<void> {
  await append(
    tx,
    act,
    type,
    payees.map(({ evidenceId, domain, evidenceDigest }) => ({
      subject: evidenceId,
      content: { domain, evidence_digest: evidenceDigest },
    })),
  );
}

async function append(
  tx: Tx,
  act: Act,
  type: ClearEntryType | CommittedEntryType,
  entries: readonly { subject: string; content: unknown }[],
): Promise<void> {
  if (entries.length === 0) return;
  const subjects = entries.map(({ subject }) => subject);
  const contents = entries.map(({ content }) => canonicalJson(content));
  await tx`select append_to_log(${type}, ${act.now}, ${subjects}::text[], ${contents}::text[])`;
}
