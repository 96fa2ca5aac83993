import { onDemand } from '../../ui/on-demand.tsx';
import type { PortalPage } from '../pages.ts';
import { idInPath } from '../parts/path-part.ts';

const PaymentRequestPage = onDemand(() => import('./request-page.tsx'), 'PaymentRequestPage');
const PaymentRequestsPage = onDemand(() => import('./requests-page.tsx'), 'PaymentRequestsPage');

export const paymentRequestPages: readonly PortalPage[] = [
  { path: '/payment-requests', Page: PaymentRequestsPage },
  {
    path: '/payment-requests/:id',
    Page: ({ params }) => <PaymentRequestPage id={idInPath(params['id'] ?? '')} />,
  },
];
