import type { PaymentRequest } from '@payassent/sdk';
import { Link, useLocation } from 'wouter';
import { paymentRequests as texts } from '../../texts/portal/payment-requests.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialogs.tsx';
import { pathPart } from '../parts/path-part.ts';
import { useUrlFilters } from '../parts/url-filter.ts';
import { RequestDetail } from './request-detail.tsx';

/** The address of the list as it is, with one request open beside it: the way back closes it. */
export function usePanelHref(): (request: PaymentRequest) => string {
  const [query] = useUrlFilters();
  const [path] = useLocation();
  return ({ request_id: open, connection_id: of }) =>
    `${path}?${new URLSearchParams(
      [...query]
        .filter(([name]) => name !== 'open' && name !== 'of')
        .concat([
          ['open', open],
          ['of', of],
        ]),
    )}`;
}

export function RequestPanel() {
  const [query, choose] = useUrlFilters();
  const id = query.get('open');
  const connection = query.get('of');
  const page = `/payment-requests/${pathPart(id ?? '')}${connection === null ? '' : `?connection=${connection}`}`;
  const close = () => choose({ open: '', of: '' });
  return (
    <Dialog
      title={texts.detailTitle}
      isOpen={id !== null}
      onClose={close}
      place="side"
      actions={
        <span className="row">
          <Link href={page}>{texts.panel.page}</Link>
          <Button onClick={close}>{texts.panel.close}</Button>
        </span>
      }
    >
      {id === null ? null : <RequestDetail id={id} connection={connection} />}
    </Dialog>
  );
}
