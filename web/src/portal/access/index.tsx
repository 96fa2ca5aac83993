import type { PortalPage } from '../pages.ts';
import { AccessPage } from './access-page.tsx';

export const accessPages: readonly PortalPage[] = [{ path: '/access', Page: AccessPage }];
