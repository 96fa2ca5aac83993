import { onDemand } from '../../ui/on-demand.tsx';
import type { PortalPage } from '../pages.ts';

const HomePage = onDemand(() => import('./home-page.tsx'), 'HomePage');

export const homePages: readonly PortalPage[] = [{ path: '/', Page: HomePage }];
