import type { PortalPage } from '../pages.ts';
import { TeamPage } from './team-page.tsx';

export const teamPages: readonly PortalPage[] = [{ path: '/team', Page: TeamPage }];
