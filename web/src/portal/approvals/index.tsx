import type { PortalPage } from '../pages.ts';
import { ApprovalsPage } from './approvals-page.tsx';

export const approvalPages: readonly PortalPage[] = [{ path: '/approvals', Page: ApprovalsPage }];
