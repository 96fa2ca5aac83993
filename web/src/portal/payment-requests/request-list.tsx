import { purposeOf } from '@payassent/protocol';
import type { PaymentRequest } from '@payassent/sdk';
import { useState } from 'react';
import { Link } from 'wouter';
import { paymentRequests as texts } from '../../texts/portal/payment-requests.ts';
import { ActionButton } from '../../ui/action-buttons.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialogs.tsx';
import { Moment, Sum } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { merchantClient } from '../client.ts';
import {
  NoMatch,
  PageSteps,
  PaymentBadge,
  Row,
  RowLink,
  Table,
  usePages,
  usePanelHref,
  useUrlFilters,
} from '../parts/lists.tsx';
import { LIST_MS, LiveMark } from '../parts/live.tsx';
import { pathPart } from '../parts/path-part.ts';
import { FilterBar, type ListFilters, useListFilters } from './filters.tsx';
import { RequestDetail } from './request-detail.tsx';
import { agentName } from './said-by-agent.tsx';

/**
 * The newest requests, of the organization or of one connection; follows changes automatically. The selected one opens
 * next to the list.
 */
export function RequestList({ connectionId }: { connectionId?: string }) {
  const filters = useListFilters(connectionId);
  const pages = usePages({
    key: ['payment-requests', 'list', filters],
    read: (cursor, signal) =>
      merchantClient.paymentRequests.list({ limit: 25, ...filters, ...cursor }, { signal }),
    everyMs: LIST_MS,
  });
  const isFiltered = Object.keys(filters).some((name) => name !== 'connection_id');
  return (
    <div className="stack">
      <FilterBar>
        <LiveMark query={pages.query} />
      </FilterBar>
      <QueryView query={pages.query}>
        {(page) => (
          <div className="stack">
            {page.payment_requests.length > 0 ? (
              <RequestTable requests={page.payment_requests} />
            ) : isFiltered ? (
              <NoMatch pages={pages} />
            ) : (
              <NoRequests isOfOne={connectionId !== undefined} />
            )}
            <div className="row">
              <PageSteps pages={pages} />
              {page.payment_requests.length === 0 ? null : <Download filters={filters} />}
            </div>
          </div>
        )}
      </QueryView>
      <RequestPanel />
    </div>
  );
}

function NoRequests({ isOfOne }: { isOfOne: boolean }) {
  const { ofOne, text } = texts.empty;
  const action = (
    <Link className="button" href="/connections">
      {texts.empty.action}
    </Link>
  );
  return (
    <EmptyState title={texts.empty.title} action={isOfOne ? undefined : action}>
      {isOfOne ? ofOne : text}
    </EmptyState>
  );
}

function RequestTable({ requests }: { requests: readonly PaymentRequest[] }) {
  const { heads } = texts;
  const panelHref = usePanelHref();
  return (
    <Table label={texts.table} heads={Object.values(heads)} sums={[heads.amount]}>
      {requests.map((request) => {
        const { amount, asset } = request.payment;
        return (
          <Row key={`${request.connection_id} ${request.request_id}`}>
            <td className="amount-cell" data-is-long={amount.length + asset.length > 23}>
              <RowLink
                href={panelHref({ open: request.request_id, of: request.connection_id })}
                name={texts.open(`${amount} ${asset}`)}
              >
                <Sum amount={amount} /> {asset}
              </RowLink>
            </td>
            <PaymentBadge payment={request} />
            <td className="purpose-cell">
              <ForeignText inline>{purposeOf(request.display) ?? ''}</ForeignText>
            </td>
            <ForeignText inline>{request.payee.name}</ForeignText>
            <ForeignText inline>{agentName(request)}</ForeignText>
            <Moment>{request.created_at}</Moment>
          </Row>
        );
      })}
    </Table>
  );
}

export function PaymentRequestsPage() {
  return (
    <Page title={texts.title}>
      <p className="soft">{texts.lead}</p>
      <RequestList />
    </Page>
  );
}

function RequestPanel() {
  const [query, choose] = useUrlFilters();
  const id = query.get('open');
  const connection = query.get('of');
  const page = `/payment-requests/${pathPart(id ?? '')}${connection === null ? '' : `?connection=${connection}`}`;
  const close = () => choose({ open: '', of: '' }, 'panel');
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

const downloadTexts = texts.download;
const ROWS_AT_MOST = 10_000;

/** The filtered requests, as a table for other programs. */
function Download({ filters }: { filters: ListFilters }) {
  const [count, setCount] = useState<number>();
  const download = async () => {
    const rows: PaymentRequest[] = [];
    for await (const request of merchantClient.paymentRequests.each({ limit: 100, ...filters })) {
      if (rows.length === ROWS_AT_MOST) break;
      rows.push(request);
    }
    saveFile('payments.csv', toCsv(rows), 'text/csv;charset=utf-8');
    setCount(rows.length);
  };
  return (
    <>
      <ActionButton run={download}>{downloadTexts.action}</ActionButton>
      <span role="status" className="soft">
        {count === undefined ? '' : downloadTexts[count === ROWS_AT_MOST ? 'cut' : 'saved'](count)}
      </span>
    </>
  );
}

const COLUMNS: ReadonlyArray<readonly [string, (request: PaymentRequest) => string | null | undefined]> = [
  ['request_id', ({ request_id }) => request_id],
  ['created_at', ({ created_at }) => created_at],
  ['updated_at', ({ updated_at }) => updated_at],
  ['status_by_wallet', ({ status }) => status],
  ['settlement_by_chain', ({ settlement }) => settlement?.state],
  ['amount', ({ payment }) => payment.amount],
  ['asset', ({ payment }) => payment.asset],
  ['network', ({ payment }) => payment.network],
  ['issuer', ({ payment }) => payment.issuer],
  ['contract', ({ payment }) => payment.contract],
  ['payee', ({ payee }) => payee.name],
  ['domain', ({ payee }) => payee.domain],
  ['address', ({ payment }) => payment.to],
  ['memo', ({ payment }) => payment.memo],
  ['agent', agentName],
  ['purpose', ({ display }) => purposeOf(display)],
  ['tx_hash', ({ tx_hash }) => tx_hash],
  ['reason', ({ reason }) => reason],
  ['connection_id', ({ connection_id }) => connection_id],
];

/** Spreadsheets take a text that begins like this for a formula, which may read or send other data. */
const LIKE_A_FORMULA = /^[\s]*[=+\-@\t\r]/;

function cell(value: string): string {
  const harmless = LIKE_A_FORMULA.test(value) ? `'${value}` : value;
  return `"${harmless.replaceAll('"', '""')}"`;
}

/** RFC 4180. Amounts are the digits of the record, never a rounded number. */
function toCsv(requests: readonly PaymentRequest[]): string {
  const lines = requests.map((request) => COLUMNS.map(([, read]) => cell(read(request) ?? '')));
  return [COLUMNS.map(([name]) => cell(name)), ...lines].map((line) => `${line.join(',')}\r\n`).join('');
}
