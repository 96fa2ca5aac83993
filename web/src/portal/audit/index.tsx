import { onDemand } from '../../ui/on-demand.tsx';
import type { PortalPage } from '../pages.ts';

const AuditPage = onDemand(() => import('./audit-page.tsx'), 'AuditPage');

export const auditPages: readonly PortalPage[] = [{ path: '/audit', Page: AuditPage }];
