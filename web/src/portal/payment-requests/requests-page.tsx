import { paymentRequests as texts } from '../../texts/portal/payment-requests.ts';
import { Page } from '../../ui/page.tsx';
import { RequestList } from './request-list.tsx';

export function PaymentRequestsPage() {
  return (
    <Page title={texts.title}>
      <p className="soft">{texts.lead}</p>
      <RequestList />
    </Page>
  );
}
