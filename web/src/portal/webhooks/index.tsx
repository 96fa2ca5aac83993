import { onDemand } from '../../ui/on-demand.tsx';
import type { PortalPage } from '../pages.ts';
import { idInPath } from '../parts/path-part.ts';

const DeliveriesPage = onDemand(() => import('./deliveries-page.tsx'), 'DeliveriesPage');
const EndpointPage = onDemand(() => import('./endpoint-page.tsx'), 'EndpointPage');
const EndpointsPage = onDemand(() => import('./endpoints-page.tsx'), 'EndpointsPage');
const NewEndpointPage = onDemand(() => import('./new-endpoint-page.tsx'), 'NewEndpointPage');

export const webhookPages: readonly PortalPage[] = [
  { path: '/webhooks', Page: EndpointsPage },
  { path: '/webhooks/new', Page: NewEndpointPage },
  { path: '/webhooks/deliveries', Page: DeliveriesPage },
  { path: '/webhooks/:id', Page: ({ params }) => <EndpointPage id={idInPath(params['id'] ?? '')} /> },
];
