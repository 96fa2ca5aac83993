import type { PortalPage } from '../pages.ts';
import { SafetyPage } from './safety-page.tsx';

export const safetyPages: readonly PortalPage[] = [{ path: '/sign-in', Page: SafetyPage }];
