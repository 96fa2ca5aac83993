import { onDemand } from '../../ui/on-demand.tsx';
import type { PortalPage } from '../pages.ts';

const AccessPage = onDemand(() => import('./access-page.tsx'), 'AccessPage');

export const accessPages: readonly PortalPage[] = [{ path: '/access', Page: AccessPage }];
