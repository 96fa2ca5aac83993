import { areaTexts } from '../../texts/portal/areas.ts';
import { Page } from '../../ui/page.tsx';
import type { PortalPage } from '../pages.ts';

export const recipientPages: readonly PortalPage[] = [
  { path: '/recipients', Page: () => <Page title={areaTexts.recipients}>{null}</Page> },
];
