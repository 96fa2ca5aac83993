import { areaTexts } from '../../texts/portal/areas.ts';
import { Page } from '../../ui/page.tsx';
import type { PortalPage } from '../pages.ts';

export const policyPages: readonly PortalPage[] = [
  { path: '/policies', Page: () => <Page title={areaTexts.policies}>{null}</Page> },
];
