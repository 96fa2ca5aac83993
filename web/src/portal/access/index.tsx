import { areaTexts } from '../../texts/portal/areas.ts';
import { Page } from '../../ui/page.tsx';
import type { PortalPage } from '../pages.ts';

export const accessPages: readonly PortalPage[] = [
  { path: '/access', Page: () => <Page title={areaTexts.access}>{null}</Page> },
];
