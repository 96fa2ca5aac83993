import { useSearch } from 'wouter';
import { paymentRequests as texts } from '../../texts/portal/payment-requests.ts';
import { Page } from '../../ui/page.tsx';
import { RequestDetail } from './request-detail.tsx';

export function PaymentRequestPage({ id }: { id: string }) {
  const connection = new URLSearchParams(useSearch()).get('connection');
  return (
    <Page title={texts.detailTitle}>
      <RequestDetail id={id} connection={connection} />
    </Page>
  );
}
