import { notifications } from '../../texts/wallet.ts';
import { Page } from '../../ui/page.tsx';
import { RingCard } from './ring-card.tsx';

export function NotificationsPage() {
  return (
    <Page title={notifications.title}>
      <RingCard />
    </Page>
  );
}
