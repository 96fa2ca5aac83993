import { onDemand } from '../../ui/on-demand.tsx';
import type { PortalPage } from '../pages.ts';

const HomePage = onDemand(() => import('./home-page.tsx'), 'HomePage');
const TestRequestPage = onDemand(() => import('../test-request/test-request-page.tsx'), 'TestRequestPage');

export const homePages: readonly PortalPage[] = [
  { path: '/', Page: HomePage },
  { path: '/test-request', Page: TestRequestPage },
];
