// The merchant portal: a folder for each area, `parts` for what areas share, `shell` for the frame around them. Nothing
// outside imports from here; an area imports from another one only what shows its records. Invariants: an action that
// the role of a team member does not allow is not offered, and no secret outlives its page.
import type { ComponentType } from 'react';
import type { areaTexts } from '../texts/portal/areas.ts';
import { onDemand } from '../ui/on-demand.tsx';

/** A path below `/portal`, and its page; the page receives the part of the address that names a record. */
type Pages = Readonly<Record<string, ComponentType<{ id: string }>>>;

const agents = () => import('./agents/agents-page.tsx');
const connections = () => import('./connections/connections-page.tsx');
const payeeForm = () => import('./recipients/payee-form.tsx');
const webhooks = () => import('./webhooks/endpoints-page.tsx');

/** In the order in which the router tries them: a name comes before an id. */
export const PAGES: Pages = {
  '/': onDemand(() => import('./home/home-page.tsx'), 'HomePage'),
  '/test-request': onDemand(() => import('./test-request/test-request-page.tsx'), 'TestRequestPage'),
  '/domains': onDemand(() => import('./domains/domains-page.tsx'), 'DomainsPage'),
  '/domains/:id': onDemand(() => import('./domains/domain-page.tsx'), 'DomainPage'),
  '/recipients': onDemand(() => import('./recipients/recipients-page.tsx'), 'RecipientsPage'),
  '/recipients/new': onDemand(payeeForm, 'NewRecipientPage'),
  '/recipients/:id': onDemand(() => import('./recipients/recipient-page.tsx'), 'RecipientPage'),
  '/recipients/:id/new-version': onDemand(payeeForm, 'NewVersionPage'),
  '/agents': onDemand(agents, 'AgentsPage'),
  '/agents/new': onDemand(agents, 'NewAgentPage'),
  '/agents/:id': onDemand(() => import('./agents/agent-page.tsx'), 'AgentPage'),
  '/payment-requests': onDemand(() => import('./payment-requests/request-list.tsx'), 'PaymentRequestsPage'),
  '/payment-requests/:id': onDemand(
    () => import('./payment-requests/request-detail.tsx'),
    'PaymentRequestPage',
  ),
  '/connections': onDemand(connections, 'ConnectionsPage'),
  '/connections/:id': onDemand(connections, 'ConnectionPage'),
  '/webhooks': onDemand(webhooks, 'EndpointsPage'),
  '/webhooks/new': onDemand(webhooks, 'NewEndpointPage'),
  '/webhooks/deliveries': onDemand(() => import('./webhooks/deliveries-page.tsx'), 'DeliveriesPage'),
  '/webhooks/:id': onDemand(() => import('./webhooks/endpoint-page.tsx'), 'EndpointPage'),
  '/policies': onDemand(() => import('./policies/policies-page.tsx'), 'PoliciesPage'),
  '/policies/payments': onDemand(() => import('./policies/agent-payments.tsx'), 'AgentPaymentsPage'),
  '/policies/:id': onDemand(() => import('./policies/policy-page.tsx'), 'PolicyPage'),
  '/access': onDemand(() => import('./control/access-page.tsx'), 'AccessPage'),
  '/audit': onDemand(() => import('./control/audit-page.tsx'), 'AuditPage'),
  '/organization': onDemand(() => import('./control/organization-page.tsx'), 'OrganizationPage'),
  '/team': onDemand(() => import('./control/team-page.tsx'), 'TeamPage'),
  '/approvals': onDemand(() => import('./control/approvals-page.tsx'), 'ApprovalsPage'),
  '/sign-in': onDemand(() => import('./control/safety-page.tsx'), 'SafetyPage'),
};

export type AreaName = Exclude<keyof typeof areaTexts, 'groups'>;
type Area = readonly [name: AreaName, path: string];

/** The navigation, in this order: where each link leads. Every page of an area is at or below its path. */
export const AREA_GROUPS: ReadonlyArray<readonly [keyof typeof areaTexts.groups, readonly Area[]]> = [
  [
    'setup',
    [
      ['home', '/'],
      ['domains', '/domains'],
      ['recipients', '/recipients'],
      ['agents', '/agents'],
    ],
  ],
  [
    'activity',
    [
      ['paymentRequests', '/payment-requests'],
      ['connections', '/connections'],
      ['webhooks', '/webhooks'],
      ['policies', '/policies'],
    ],
  ],
  [
    'control',
    [
      ['access', '/access'],
      ['audit', '/audit'],
      ['organization', '/organization'],
      ['team', '/team'],
      ['approvals', '/approvals'],
      ['safety', '/sign-in'],
    ],
  ],
];
