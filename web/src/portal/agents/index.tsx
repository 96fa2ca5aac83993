import { onDemand } from '../../ui/on-demand.tsx';
import type { PortalPage } from '../pages.ts';

const AgentPage = onDemand(() => import('./agent-page.tsx'), 'AgentPage');
const AgentsPage = onDemand(() => import('./agents-page.tsx'), 'AgentsPage');
const NewAgentPage = onDemand(() => import('./new-agent-page.tsx'), 'NewAgentPage');

export const agentPages: readonly PortalPage[] = [
  { path: '/agents', Page: AgentsPage },
  { path: '/agents/new', Page: NewAgentPage },
  { path: '/agents/:id', Page: AgentPage },
];
