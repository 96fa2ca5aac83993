import { onDemand } from '../../ui/on-demand.tsx';
import type { PortalPage } from '../pages.ts';

const ApprovalsPage = onDemand(() => import('./approvals-page.tsx'), 'ApprovalsPage');

export const approvalPages: readonly PortalPage[] = [{ path: '/approvals', Page: ApprovalsPage }];
