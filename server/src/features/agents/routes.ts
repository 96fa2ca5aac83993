import { AgentSchema } from '@countersign/protocol/records';
import { Type } from 'typebox';
import { transaction } from '../../db/open.ts';
import { decodeCursor, PAGE_QUERY, toPage } from '../../http/page.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { createAgent } from './create.ts';
import { listAgents, readAgent } from './read.ts';
import { AgentChange, AgentInput, checkAgentChange, checkAgentInput, refuseEmptyChange } from './schema.ts';
import { changeAgent } from './update.ts';
import { agentView } from './view.ts';

const TAG = 'Agents';

export const agentRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/v1/agents',
    summary: 'Register an agent and what it may ask users for',
    tag: TAG,
    credential: ['merchant'],
    limit: 'merchant_mutations',
    body: AgentInput,
    check: checkAgentInput,
    status: 201,
    errors: ['risk_rejected'],
    answer: Type.Object({ agent: AgentSchema }),
    async run({ context, act, principal, body }) {
      const agent = await transaction(context.db, (tx) => createAgent(tx, act, principal, body));
      return { agent: agentView(agent) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/agents',
    summary: 'List the agents of this organization, newest first',
    tag: TAG,
    credential: ['merchant'],
    limit: 'reads',
    query: Type.Object(PAGE_QUERY),
    answer: Type.Object({
      agents: Type.Array(AgentSchema),
      next_cursor: Type.Union([Type.String(), Type.Null()]),
    }),
    async run({ context, principal, query }) {
      const after = decodeCursor(query.cursor);
      const rows = await listAgents(context.db, principal.merchantId, { limit: query.limit, after });
      const page = toPage(rows, query.limit, (row) => ({ createdAt: row.created_at, id: row.agent_id }));
      return { agents: page.items.map(agentView), next_cursor: page.nextCursor };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/agents/{agentId}',
    summary: 'Read one agent',
    tag: TAG,
    credential: ['merchant'],
    limit: 'reads',
    errors: ['resource_not_found'],
    answer: Type.Object({ agent: AgentSchema }),
    async run({ context, principal, params }) {
      const agent = await readAgent(context.db, principal.merchantId, params['agentId'] ?? '');
      return { agent: agentView(agent) };
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/v1/agents/{agentId}',
    summary: 'Change the status, name, allowed scopes or proofs of an agent',
    description:
      'Takes effect on the next call of the agent, on every process. Revoking is final: its tokens are dead at once, its credentials, invitations and connections are ended in the background.',
    tag: TAG,
    credential: ['merchant'],
    limit: 'merchant_mutations',
    body: AgentChange,
    check: checkAgentChange,
    errors: ['resource_not_found', 'version_conflict', 'invalid_status_transition', 'risk_rejected'],
    answer: Type.Object({ agent: AgentSchema }),
    async run({ context, act, principal, params, body }) {
      refuseEmptyChange(body);
      const agent = await transaction(context.db, (tx) =>
        changeAgent(tx, act, principal, params['agentId'] ?? '', body),
      );
      return { agent: agentView(agent) };
    },
  }),
];
