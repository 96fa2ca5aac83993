import type { PaymentRequest } from '@payassent/sdk';
import { Link } from 'wouter';
import { paymentRequests as texts } from '../../texts/portal/payment-requests.ts';
import { Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { merchantClient } from '../client.ts';
import { LIST_MS } from '../parts/intervals.ts';
import { LiveMark } from '../parts/live-mark.tsx';
import { PageSteps, usePages } from '../parts/pages.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { Table } from '../parts/table.tsx';
import { agentName } from './agent-name.ts';
import { Download } from './download.tsx';
import { FilterBar, useListFilters } from './filters.tsx';
import { RequestPanel, usePanelHref } from './request-panel.tsx';

/** The newest requests, of the organization or of one connection; follows changes by itself. One opens beside them. */
export function RequestList({ connectionId }: { connectionId?: string }) {
  const filters = useListFilters(connectionId);
  const pages = usePages({
    key: ['payment-requests', 'list', filters],
    read: (cursor, signal) =>
      merchantClient.paymentRequests.list({ limit: 25, ...filters, ...cursor }, { signal }),
    next: (page) => page.next_cursor,
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
            {page.payment_requests.length === 0 ? (
              <NoRequests isFiltered={isFiltered} isOfOne={connectionId !== undefined} />
            ) : (
              <RequestTable requests={page.payment_requests} />
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

function NoRequests({ isFiltered, isOfOne }: { isFiltered: boolean; isOfOne: boolean }) {
  const { filtered, ofOne, text } = texts.empty;
  const action = (
    <Link className="button" href="/connections">
      {texts.empty.action}
    </Link>
  );
  return (
    <EmptyState title={texts.empty.title} action={isFiltered || isOfOne ? undefined : action}>
      {isFiltered ? filtered : isOfOne ? ofOne : text}
    </EmptyState>
  );
}

function RequestTable({ requests }: { requests: readonly PaymentRequest[] }) {
  const { heads } = texts;
  const panelHref = usePanelHref();
  return (
    <Table label={texts.table} heads={[heads.amount, heads.payee, heads.status, heads.agent, heads.asked]}>
      {requests.map((request) => {
        const amount = `${request.payment.amount} ${request.payment.asset}`;
        return (
          <tr key={`${request.connection_id} ${request.request_id}`}>
            <td className="amount-cell" data-is-long={amount.length > 24}>
              <Link href={panelHref(request)} aria-label={texts.open(amount)}>
                {amount}
              </Link>
            </td>
            <td>
              <ForeignText inline>{request.payee.name}</ForeignText>
            </td>
            <td>
              <StatusBadge status={request.status} />
            </td>
            <td>
              <ForeignText inline>{agentName(request)}</ForeignText>
            </td>
            <td className="nowrap">
              <Moment>{request.created_at}</Moment>
            </td>
          </tr>
        );
      })}
    </Table>
  );
}
