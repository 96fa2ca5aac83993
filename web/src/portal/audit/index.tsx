import type { PortalPage } from '../pages.ts';
import { AuditPage } from './audit-page.tsx';

export const auditPages: readonly PortalPage[] = [{ path: '/audit', Page: AuditPage }];
