import { type AgentStatus, type AuditEventType, allowedNext, canMove, type Scope } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Sql, Tx } from '../../db/open.ts';
import { mayBecome } from '../../db/status.ts';
import { impossibleMove, merchantSuspended, notFound, versionConflict } from '../../errors.ts';
import { jobTopic } from '../../jobs/job.ts';
import type { MerchantPrincipal } from '../../principals.ts';
import { type AuditEntry, audit, auditActor, recordAudit } from '../audit/record.ts';
import { mailName, queueOwnerMail } from '../notices/queue.ts';
import { newestFirst, type PageRead } from '../page.ts';
import { listCredentials } from './credential-sql.ts';
import type { AgentChange, AgentInput } from './schema.ts';
import { AGENT_REVOCATION_JOB, agentTopic, CREDENTIAL_JOB } from './usable.ts';
import type { AgentRow, CredentialRow } from './view.ts';

/** A new agent is pending: it has no key yet, and the merchant has not activated it. */
export async function createAgent(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  input: AgentInput,
  requiresProof: boolean,
): Promise<AgentRow> {
  // A suspension reaches the existing agents; one that is being created must not slip by.
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
  await audit(tx, act, principal, principal.merchantId, 'agent.created', agent.agent_id, {
    name: agent.name,
    environment: agent.environment,
    allowed_scopes: agent.allowed_scopes,
  });
  return agent;
}

const AUDIT_OF_STATUS: Partial<Record<AgentStatus, AuditEventType>> = {
  active: 'agent.activated',
  suspended: 'agent.suspended',
  revoked: 'agent.revoked',
};

export async function changeAgent(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  agentId: string,
  input: AgentChange,
): Promise<AgentRow> {
  const { merchantId } = principal;
  const before = await lockAgent(tx, merchantId, agentId);
  if (!before) throw notFound();
  if (before.version !== input.version) throw versionConflict(before.version);
  refuseImpossible(before.status, input.status);
  refuseLifting(before, input.status);
  const after = await updateAgent(
    tx,
    merchantId,
    before,
    {
      name: input.name ?? before.name,
      status: input.status ?? before.status,
      allowedScopes: (input.allowed_scopes as Scope[] | undefined) ?? before.allowed_scopes,
      requireProof: input.require_proof ?? before.require_proof,
    },
    act.now,
  );
  if (!after) throw new Error('The locked row of an agent changed.');
  await recordAudit(tx, act, ...auditEntries(principal, before, after, input));
  if (before.require_proof && !after.require_proof)
    await queueOwnerMail(tx, act, principal, {
      change: 'require_proof_off',
      facts: [['Agent', `${mailName(after.name)} (${agentId})`]],
    });
  tx.afterCommit(() => act.announce(agentTopic(agentId)));
  if (after.status === 'revoked') {
    // The row alone stops the agent on the next call everywhere; its many dependents follow in the background.
    await queueAgentEnd(tx, merchantId, agentId, act.now);
    tx.afterCommit(() => act.announce(jobTopic(AGENT_REVOCATION_JOB), jobTopic(CREDENTIAL_JOB)));
  }
  return after;
}

/** A revoked agent is final in every respect; otherwise the state table decides about the status alone. */
export function refuseImpossible(from: AgentStatus, to: AgentStatus | undefined): void {
  if (from !== 'revoked' && (to === undefined || canMove('agent', from, to, 'merchant'))) return;
  throw impossibleMove(
    [from, to ?? from],
    allowedNext('agent', from, 'merchant'),
    from === 'revoked' ? 'The agent has been revoked for good. Register a new one.' : undefined,
  );
}

/** What the host has suspended, the merchant may end for good and nothing else. */
function refuseLifting(before: AgentRow, to: AgentStatus | undefined): void {
  if (!before.suspended_by_installation_at || to === undefined || to === 'revoked') return;
  throw impossibleMove(
    ['suspended', to],
    allowedNext('agent', 'suspended', 'merchant').filter((next) => next === 'revoked'),
    'The host of this service has suspended this agent, and only the host can lift that.',
  );
}

function auditEntries(
  principal: MerchantPrincipal,
  before: AgentRow,
  after: AgentRow,
  input: AgentChange,
): AuditEntry[] {
  const entry = (type: AuditEventType, details: Record<string, unknown>): AuditEntry => ({
    merchantId: principal.merchantId,
    type,
    actor: auditActor(principal),
    target: { type: 'agent', id: after.agent_id },
    details,
  });
  const entries: AuditEntry[] = [];
  const statusType = input.status === undefined ? undefined : AUDIT_OF_STATUS[input.status];
  if (statusType) entries.push(entry(statusType, { from: before.status, to: after.status }));
  const changed: Record<string, unknown> = {};
  for (const member of ['name', 'allowed_scopes', 'require_proof'] as const)
    if (input[member] !== undefined) changed[member] = { from: before[member], to: after[member] };
  if (Object.keys(changed).length > 0) entries.push(entry('agent.updated', changed));
  return entries;
}

export async function readAgent(db: Sql, merchantId: string, agentId: string): Promise<AgentRow> {
  const agent = await selectAgent(db, merchantId, agentId);
  if (!agent) throw notFound();
  return agent;
}

export async function readCredentials(
  db: Sql,
  merchantId: string,
  agentId: string,
  page: PageRead,
): Promise<CredentialRow[]> {
  await readAgent(db, merchantId, agentId);
  return listCredentials(db, merchantId, agentId, page);
}

async function insertAgent(
  tx: Tx,
  merchantId: string,
  agent: Pick<AgentRow, 'agent_id' | 'name' | 'runtime' | 'environment' | 'allowed_scopes' | 'require_proof'>,
  now: Date,
): Promise<AgentRow> {
  const rows = await tx<[AgentRow]>`
    insert into agents
      (agent_id, merchant_id, name, runtime, environment, allowed_scopes, require_proof, status, created_at, updated_at)
    values (${agent.agent_id}, ${merchantId}, ${agent.name}, ${agent.runtime}, ${agent.environment},
            ${agent.allowed_scopes}::text[], ${agent.require_proof}, 'pending', ${now}, ${now})
    returning *`;
  return rows[0];
}

/** Waits for a suspension in progress, and blocks a later one until this transaction is over. */
async function isMerchantSuspended(tx: Tx, merchantId: string): Promise<boolean> {
  const rows = await tx`
    select from merchants where merchant_id = ${merchantId} and suspended_at is null for share`;
  return rows.length === 0;
}

async function selectAgent(db: Sql, merchantId: string, agentId: string) {
  const rows = await db<AgentRow[]>`
    select * from agents where agent_id = ${agentId} and merchant_id = ${merchantId}`;
  return rows[0];
}

async function lockAgent(tx: Tx, merchantId: string, agentId: string): Promise<AgentRow | undefined> {
  const rows = await tx<AgentRow[]>`
    select * from agents where agent_id = ${agentId} and merchant_id = ${merchantId} for update`;
  return rows[0];
}

/** Keeps the agent from changing until the end of the transaction, with a lock that others can share. */
export async function holdAgent(tx: Tx, merchantId: string, agentId: string): Promise<AgentRow | undefined> {
  const rows = await tx<AgentRow[]>`
    select * from agents where agent_id = ${agentId} and merchant_id = ${merchantId} for share`;
  return rows[0];
}

async function updateAgent(
  tx: Tx,
  merchantId: string,
  agent: AgentRow,
  change: { name: string; status: AgentStatus; allowedScopes: readonly Scope[]; requireProof: boolean },
  now: Date,
): Promise<AgentRow | undefined> {
  const rows = await tx<AgentRow[]>`
    update agents
    set name = ${change.name}, status = ${change.status}, allowed_scopes = ${[...change.allowedScopes]}::text[],
        require_proof = ${change.requireProof}, version = version + 1, updated_at = ${now}
    where agent_id = ${agent.agent_id} and merchant_id = ${merchantId}
      and version = ${agent.version} and status = ${agent.status}
      and ${mayBecome(tx, 'agent', change.status, 'merchant', { orIs: true })}
    returning *`;
  return rows[0];
}

export function listAgents(db: Sql, merchantId: string, page: PageRead): Promise<AgentRow[]> {
  return db<AgentRow[]>`
    select * from agents where merchant_id = ${merchantId}
    ${newestFirst(db, page, 'agent_id')}`;
}

/** Queues for the background: all dependents of the agent are to be ended. */
async function queueAgentEnd(tx: Tx, merchantId: string, agentId: string, now: Date): Promise<void> {
  await tx`
    with connections as (
      insert into agent_revocations (agent_id, merchant_id, requested_at)
      values (${agentId}, ${merchantId}, ${now}) on conflict do nothing
    )
    insert into agent_credential_endings (agent_id, merchant_id, requested_at)
    values (${agentId}, ${merchantId}, ${now}) on conflict do nothing`;
}
