import type { areaTexts } from '../texts/portal/areas.ts';
import { accessPages } from './access/index.tsx';
import { agentPages } from './agents/index.tsx';
import { approvalPages } from './approvals/index.tsx';
import { auditPages } from './audit/index.tsx';
import { connectionPages } from './connections/index.tsx';
import { domainPages } from './domains/index.tsx';
import { homePages } from './home/index.tsx';
import { organizationPages } from './organization/index.tsx';
import type { PortalPage } from './pages.ts';
import { paymentRequestPages } from './payment-requests/index.tsx';
import { policyPages } from './policies/index.tsx';
import { recipientPages } from './recipients/index.tsx';
import { safetyPages } from './sign-in-safety/index.tsx';
import { teamPages } from './team/index.tsx';
import { webhookPages } from './webhooks/index.tsx';

export interface Area {
  /** Where the link of the navigation leads; every page of the area is at or below it. */
  path: string;
  name: Exclude<keyof typeof areaTexts, 'groups'>;
  pages: readonly PortalPage[];
}

export interface AreaGroup {
  name: keyof typeof areaTexts.groups;
  areas: readonly Area[];
}

/** The portal as a table: what stands in the navigation, in this order, and the pages behind it. */
export const AREA_GROUPS: readonly AreaGroup[] = [
  {
    name: 'setup',
    areas: [
      { path: '/', name: 'home', pages: homePages },
      { path: '/domains', name: 'domains', pages: domainPages },
      { path: '/recipients', name: 'recipients', pages: recipientPages },
      { path: '/agents', name: 'agents', pages: agentPages },
    ],
  },
  {
    name: 'activity',
    areas: [
      { path: '/payment-requests', name: 'paymentRequests', pages: paymentRequestPages },
      { path: '/connections', name: 'connections', pages: connectionPages },
      { path: '/webhooks', name: 'webhooks', pages: webhookPages },
      { path: '/policies', name: 'policies', pages: policyPages },
    ],
  },
  {
    name: 'control',
    areas: [
      { path: '/access', name: 'access', pages: accessPages },
      { path: '/audit', name: 'audit', pages: auditPages },
      { path: '/organization', name: 'organization', pages: organizationPages },
      { path: '/team', name: 'team', pages: teamPages },
      { path: '/approvals', name: 'approvals', pages: approvalPages },
      { path: '/sign-in', name: 'safety', pages: safetyPages },
    ],
  },
];

export const ALL_PAGES: readonly PortalPage[] = AREA_GROUPS.flatMap(({ areas }) =>
  areas.flatMap(({ pages }) => pages),
);
