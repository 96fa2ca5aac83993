import type { PortalPage } from '../pages.ts';
import { OrganizationPage } from './organization-page.tsx';

export const organizationPages: readonly PortalPage[] = [{ path: '/organization', Page: OrganizationPage }];
