import { areaTexts } from '../texts/portal/areas.ts';
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
  title: string;
  pages: readonly PortalPage[];
}

export interface AreaGroup {
  title: string;
  areas: readonly Area[];
}

/** The portal as a table: what stands in the navigation, in this order, and the pages behind it. */
export const AREA_GROUPS: readonly AreaGroup[] = [
  {
    title: areaTexts.groups.setup,
    areas: [
      { path: '/', title: areaTexts.home, pages: homePages },
      { path: '/domains', title: areaTexts.domains, pages: domainPages },
      { path: '/recipients', title: areaTexts.recipients, pages: recipientPages },
      { path: '/agents', title: areaTexts.agents, pages: agentPages },
    ],
  },
  {
    title: areaTexts.groups.activity,
    areas: [
      { path: '/payment-requests', title: areaTexts.paymentRequests, pages: paymentRequestPages },
      { path: '/connections', title: areaTexts.connections, pages: connectionPages },
      { path: '/webhooks', title: areaTexts.webhooks, pages: webhookPages },
      { path: '/policies', title: areaTexts.policies, pages: policyPages },
    ],
  },
  {
    title: areaTexts.groups.control,
    areas: [
      { path: '/access', title: areaTexts.access, pages: accessPages },
      { path: '/audit', title: areaTexts.audit, pages: auditPages },
      { path: '/organization', title: areaTexts.organization, pages: organizationPages },
      { path: '/team', title: areaTexts.team, pages: teamPages },
      { path: '/approvals', title: areaTexts.approvals, pages: approvalPages },
      { path: '/sign-in', title: areaTexts.safety, pages: safetyPages },
    ],
  },
];

export const ALL_PAGES: readonly PortalPage[] = AREA_GROUPS.flatMap(({ areas }) =>
  areas.flatMap(({ pages }) => pages),
);
