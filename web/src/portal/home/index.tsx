import type { PortalPage } from '../pages.ts';
import { HomePage } from './home-page.tsx';

export const homePages: readonly PortalPage[] = [{ path: '/', Page: HomePage }];
