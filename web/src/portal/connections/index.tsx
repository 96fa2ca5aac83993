import type { PortalPage } from '../pages.ts';
import { idInPath } from '../parts/path-part.ts';
import { ConnectionPage } from './connection-page.tsx';
import { ConnectionsPage } from './connections-page.tsx';

export const connectionPages: readonly PortalPage[] = [
  { path: '/connections', Page: ConnectionsPage },
  { path: '/connections/:id', Page: ({ params }) => <ConnectionPage id={idInPath(params['id'] ?? '')} /> },
];
