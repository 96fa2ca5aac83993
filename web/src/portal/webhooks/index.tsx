import { areaTexts } from '../../texts/portal/areas.ts';
import { Page } from '../../ui/page.tsx';
import type { PortalPage } from '../pages.ts';

export const webhookPages: readonly PortalPage[] = [
  { path: '/webhooks', Page: () => <Page title={areaTexts.webhooks}>{null}</Page> },
];
