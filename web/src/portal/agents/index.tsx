import { areaTexts } from '../../texts/portal/areas.ts';
import { Page } from '../../ui/page.tsx';
import type { PortalPage } from '../pages.ts';

export const agentPages: readonly PortalPage[] = [
  { path: '/agents', Page: () => <Page title={areaTexts.agents}>{null}</Page> },
];
