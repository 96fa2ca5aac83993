import { onDemand } from '../../ui/on-demand.tsx';
import type { PortalPage } from '../pages.ts';

const OrganizationPage = onDemand(() => import('./organization-page.tsx'), 'OrganizationPage');

export const organizationPages: readonly PortalPage[] = [{ path: '/organization', Page: OrganizationPage }];
