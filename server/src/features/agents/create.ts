import type { Scope } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { merchantSuspended } from '../../errors.ts';
import type { MerchantPrincipal } from '../../http/principals.ts';
import { auditActor, recordAudit } from '../audit/record.ts';
import type { AgentInput } from './schema.ts';
import { insertAgent, isMerchantSuspended } from './sql.ts';
import type { AgentRow } from './view.ts';

/** A new agent is pending: it has no key yet, and no operator has activated it. */
export async function createAgent(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  input: AgentInput,
  requiresProof: boolean,
): Promise<AgentRow> {
  // A suspension reaches the agents that are there; one that is just being made must not slip by.
  if (await isMerchantSuspended(tx, principal.merchantId)) throw merchantSuspended();
  const agent = await insertAgent(
    tx,
    principal.merchantId,
    {
      agent_id: act.newId('agt'),
      name: input.name,
      runtime: input.runtime,
      environment: input.environment,
      allowed_scopes: input.allowed_scopes as Scope[],
      require_proof: requiresProof,
    },
    act.now,
  );
  await recordAudit(tx, act, {
    merchantId: principal.merchantId,
    type: 'agent.created',
    actor: auditActor(principal),
    target: { type: 'agent', id: agent.agent_id },
    details: { name: agent.name, environment: agent.environment, allowed_scopes: agent.allowed_scopes },
  });
  return agent;
}
