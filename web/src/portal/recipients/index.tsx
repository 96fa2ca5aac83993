import type { PortalPage } from '../pages.ts';
import { NewRecipientPage } from './new-recipient-page.tsx';
import { NewVersionPage } from './new-version-page.tsx';
import { RecipientPage } from './recipient-page.tsx';
import { RecipientsPage } from './recipients-page.tsx';

export const recipientPages: readonly PortalPage[] = [
  { path: '/recipients', Page: RecipientsPage },
  { path: '/recipients/new', Page: NewRecipientPage },
  { path: '/recipients/:id', Page: RecipientPage },
  { path: '/recipients/:id/new-version', Page: NewVersionPage },
];
