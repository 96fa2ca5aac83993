import { onDemand } from '../../ui/on-demand.tsx';
import type { PortalPage } from '../pages.ts';

const TeamPage = onDemand(() => import('./team-page.tsx'), 'TeamPage');

export const teamPages: readonly PortalPage[] = [{ path: '/team', Page: TeamPage }];
