import type { Tx } from '../../db/open.ts';

export interface Found {
  id: string;
  name: string;
}

/** By id, or by a name that only one has. At most two come back: more need not be told apart. */
export async function findMerchants(tx: Tx, idOrName: string): Promise<Found[]> {
  return tx<Found[]>`
    select merchant_id as id, name from merchants where merchant_id = ${idOrName} or name = ${idOrName} limit 2`;
}

export async function findAgents(tx: Tx, idOrName: string): Promise<(Found & { merchant_id: string })[]> {
  return tx<(Found & { merchant_id: string })[]>`
    select agent_id as id, name, merchant_id from agents where agent_id = ${idOrName} or name = ${idOrName} limit 2`;
}

/** `at` null lifts it. False when nothing had to change. Agents that are just being made wait for this row. */
export async function setMerchantSuspension(tx: Tx, merchantId: string, at: Date | null): Promise<boolean> {
  await tx`select from merchants where merchant_id = ${merchantId} for update`;
  const rows = await tx`
    update merchants set suspended_at = ${at}
    where merchant_id = ${merchantId} and (suspended_at is null) <> (${at}::timestamptz is null)
    returning merchant_id`;
  return rows.length > 0;
}

/** Where every right of the merchant's agents is judged. Answers their ids, for those who wait in their name. */
export async function setSuspensionOfAgents(tx: Tx, merchantId: string, at: Date | null): Promise<string[]> {
  const rows = await tx<{ agent_id: string }[]>`
    update agents set merchant_suspended_at = ${at} where merchant_id = ${merchantId} returning agent_id`;
  return rows.map((row) => row.agent_id);
}

/** So that what is pending no longer reads verified. */
export async function setSuspensionOfPayees(tx: Tx, merchantId: string, at: Date | null): Promise<void> {
  await tx`update recipient_versions set merchant_suspended_at = ${at} where merchant_id = ${merchantId}`;
}

export async function setAgentSuspension(tx: Tx, agentId: string, at: Date | null): Promise<boolean> {
  const rows = await tx`
    update agents set suspended_by_installation_at = ${at}, version = version + 1
    where agent_id = ${agentId} and (suspended_by_installation_at is null) <> (${at}::timestamptz is null)
    returning agent_id`;
  return rows.length > 0;
}
