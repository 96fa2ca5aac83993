import type { Sql } from '../../db/open.ts';

/** Announced after every commit that changes what an agent may do: its status, its scopes, an end of a credential. */
export function agentTopic(agentId: string): string {
  return `agent:${agentId}`;
}

/** The job that ends invitations, pairing sessions and connections of agents in `agent_revocations`. */
export const AGENT_REVOCATION_JOB = 'agent-revocations';
/** The job that ends the credentials of agents in `agent_credential_endings`. */
export const CREDENTIAL_JOB = 'agent-credentials';

/**
 * "Usable now": active, with at least one proved credential within its dates. Other statements use the database
 * functions, `exists (select from usable_agent(agent_id, at))` or, where speed does not matter,
 * `agent_is_usable(agent_id, at)`; this is for callers that check a single agent.
 */
export async function isAgentUsable(db: Sql, agentId: string, now: Date): Promise<boolean> {
  const rows = await db<{ usable: boolean }[]>`select agent_is_usable(${agentId}, ${now}) as usable`;
  return rows[0]?.usable ?? false;
}
