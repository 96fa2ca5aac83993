import type { PortalPage } from '../pages.ts';
import { DomainPage } from './domain-page.tsx';
import { DomainsPage } from './domains-page.tsx';

export const domainPages: readonly PortalPage[] = [
  { path: '/domains', Page: DomainsPage },
  { path: '/domains/:id', Page: DomainPage },
];
