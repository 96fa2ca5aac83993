import type { PortalPage } from '../pages.ts';
import { AgentPage } from './agent-page.tsx';
import { AgentsPage } from './agents-page.tsx';
import { NewAgentPage } from './new-agent-page.tsx';

export const agentPages: readonly PortalPage[] = [
  { path: '/agents', Page: AgentsPage },
  { path: '/agents/new', Page: NewAgentPage },
  { path: '/agents/:id', Page: AgentPage },
];
