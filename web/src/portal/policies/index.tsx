import { onDemand } from '../../ui/on-demand.tsx';
import type { PortalPage } from '../pages.ts';
import { idInPath } from '../parts/path-part.ts';

const AgentPaymentsPage = onDemand(() => import('./agent-payments-page.tsx'), 'AgentPaymentsPage');
const PoliciesPage = onDemand(() => import('./policies-page.tsx'), 'PoliciesPage');
const PolicyPage = onDemand(() => import('./policy-page.tsx'), 'PolicyPage');

export const policyPages: readonly PortalPage[] = [
  { path: '/policies', Page: PoliciesPage },
  { path: '/policies/payments', Page: AgentPaymentsPage },
  { path: '/policies/:id', Page: ({ params }) => <PolicyPage id={idInPath(params['id'] ?? '')} /> },
];
