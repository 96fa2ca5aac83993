import type { PortalPage } from '../pages.ts';
import { idInPath } from '../parts/path-part.ts';
import { PaymentRequestPage } from './request-page.tsx';
import { PaymentRequestsPage } from './requests-page.tsx';

export const paymentRequestPages: readonly PortalPage[] = [
  { path: '/payment-requests', Page: PaymentRequestsPage },
  {
    path: '/payment-requests/:id',
    Page: ({ params }) => <PaymentRequestPage id={idInPath(params['id'] ?? '')} />,
  },
];
