import { onDemand } from '../../ui/on-demand.tsx';
import type { PortalPage } from '../pages.ts';

const NewRecipientPage = onDemand(() => import('./new-recipient-page.tsx'), 'NewRecipientPage');
const NewVersionPage = onDemand(() => import('./new-version-page.tsx'), 'NewVersionPage');
const RecipientPage = onDemand(() => import('./recipient-page.tsx'), 'RecipientPage');
const RecipientsPage = onDemand(() => import('./recipients-page.tsx'), 'RecipientsPage');

export const recipientPages: readonly PortalPage[] = [
  { path: '/recipients', Page: RecipientsPage },
  { path: '/recipients/new', Page: NewRecipientPage },
  { path: '/recipients/:id', Page: RecipientPage },
  { path: '/recipients/:id/new-version', Page: NewVersionPage },
];
