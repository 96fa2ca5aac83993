import * as api from '@payassent/protocol/api';
import { transaction } from '../../db/open.ts';
import { decodeCursor, toPage } from '../../http/page.ts';
import { implement, type Route } from '../../http/route.ts';
import { createAgent } from './create.ts';
import { listAgents, readAgent } from './read.ts';
import { checkAgentChange, checkAgentInput, refuseEmptyChange } from './schema.ts';
import { changeAgent } from './update.ts';
import { agentView } from './view.ts';

export const agentRoutes: readonly Route[] = [
  implement(api.createAgent, {
    check: checkAgentInput,
    async run({ context, act, principal, body }) {
      const agent = await transaction(context.db, (tx) =>
        createAgent(tx, act, principal, body, context.config.newAgentsRequireProof),
      );
      return { agent: agentView(agent) };
    },
  }),
  implement(api.listAgents, {
    async run({ context, principal, query }) {
      const after = decodeCursor(query.cursor);
      const rows = await listAgents(context.db, principal.merchantId, { limit: query.limit, after });
      const page = toPage(rows, query.limit, (row) => ({ createdAt: row.created_at, id: row.agent_id }));
      return { agents: page.items.map(agentView), next_cursor: page.nextCursor };
    },
  }),
  implement(api.getAgent, {
    async run({ context, principal, params }) {
      const agent = await readAgent(context.db, principal.merchantId, params['agentId'] ?? '');
      return { agent: agentView(agent) };
    },
  }),
  implement(api.updateAgent, {
    check: checkAgentChange,
    async run({ context, act, principal, params, body }) {
      refuseEmptyChange(body);
      const agent = await transaction(context.db, (tx) =>
        changeAgent(tx, act, principal, params['agentId'] ?? '', body),
      );
      return { agent: agentView(agent) };
    },
  }),
];
