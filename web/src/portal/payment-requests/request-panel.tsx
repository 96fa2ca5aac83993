import { Dialog } from '@base-ui/react/dialog';
import type { PaymentRequest } from '@payassent/sdk';
import { Link, useLocation } from 'wouter';
import { paymentRequests as texts } from '../../texts/portal/payment-requests.ts';
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
  return (
    <Dialog.Root
      open={id !== null}
      onOpenChange={(isOpen) => (isOpen ? undefined : choose({ open: '', of: '' }))}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="dialog-backdrop" />
        <Dialog.Popup className="side-panel stack">
          <div className="row-between">
            <Dialog.Title>{texts.detailTitle}</Dialog.Title>
            <span className="row">
              <Link href={page}>{texts.panel.page}</Link>
              <Dialog.Close className="button">{texts.panel.close}</Dialog.Close>
            </span>
          </div>
          {id === null ? null : <RequestDetail id={id} connection={connection} />}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
