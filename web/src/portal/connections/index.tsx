import { onDemand } from '../../ui/on-demand.tsx';
import type { PortalPage } from '../pages.ts';
import { idInPath } from '../parts/path-part.ts';

const ConnectionPage = onDemand(() => import('./connection-page.tsx'), 'ConnectionPage');
const ConnectionsPage = onDemand(() => import('./connections-page.tsx'), 'ConnectionsPage');

export const connectionPages: readonly PortalPage[] = [
  { path: '/connections', Page: ConnectionsPage },
  { path: '/connections/:id', Page: ({ params }) => <ConnectionPage id={idInPath(params['id'] ?? '')} /> },
];
