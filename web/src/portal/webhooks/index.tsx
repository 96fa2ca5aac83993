import type { PortalPage } from '../pages.ts';
import { idInPath } from '../parts/path-part.ts';
import { DeliveriesPage } from './deliveries-page.tsx';
import { EndpointPage } from './endpoint-page.tsx';
import { EndpointsPage } from './endpoints-page.tsx';
import { NewEndpointPage } from './new-endpoint-page.tsx';

export const webhookPages: readonly PortalPage[] = [
  { path: '/webhooks', Page: EndpointsPage },
  { path: '/webhooks/new', Page: NewEndpointPage },
  { path: '/webhooks/deliveries', Page: DeliveriesPage },
  { path: '/webhooks/:id', Page: ({ params }) => <EndpointPage id={idInPath(params['id'] ?? '')} /> },
];
