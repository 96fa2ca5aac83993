import { areaTexts } from '../../texts/portal/areas.ts';
import { Page } from '../../ui/page.tsx';
import type { PortalPage } from '../pages.ts';

export const domainPages: readonly PortalPage[] = [
  { path: '/domains', Page: () => <Page title={areaTexts.domains}>{null}</Page> },
];
