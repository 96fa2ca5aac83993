import { onDemand } from '../../ui/on-demand.tsx';
import type { PortalPage } from '../pages.ts';

const SafetyPage = onDemand(() => import('./safety-page.tsx'), 'SafetyPage');

export const safetyPages: readonly PortalPage[] = [{ path: '/sign-in', Page: SafetyPage }];
