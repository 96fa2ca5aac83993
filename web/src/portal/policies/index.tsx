import type { PortalPage } from '../pages.ts';
import { idInPath } from '../parts/path-part.ts';
import { AgentPaymentsPage } from './agent-payments-page.tsx';
import { PoliciesPage } from './policies-page.tsx';
import { PolicyPage } from './policy-page.tsx';

export const policyPages: readonly PortalPage[] = [
  { path: '/policies', Page: PoliciesPage },
  { path: '/policies/payments', Page: AgentPaymentsPage },
  { path: '/policies/:id', Page: ({ params }) => <PolicyPage id={idInPath(params['id'] ?? '')} /> },
];
