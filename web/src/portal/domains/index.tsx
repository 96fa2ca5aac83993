import { onDemand } from '../../ui/on-demand.tsx';
import type { PortalPage } from '../pages.ts';

const DomainPage = onDemand(() => import('./domain-page.tsx'), 'DomainPage');
const DomainsPage = onDemand(() => import('./domains-page.tsx'), 'DomainsPage');

export const domainPages: readonly PortalPage[] = [
  { path: '/domains', Page: DomainsPage },
  { path: '/domains/:id', Page: DomainPage },
];
