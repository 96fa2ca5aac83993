import { areaTexts } from '../../texts/portal/areas.ts';
import { Page } from '../../ui/page.tsx';
import type { PortalPage } from '../pages.ts';

export const auditPages: readonly PortalPage[] = [
  { path: '/audit', Page: () => <Page title={areaTexts.audit}>{null}</Page> },
];
