import type { PaymentRequest, PaymentRequestStatus } from '@payassent/sdk';
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
import { pathPart } from '../parts/path-part.ts';
import { StatusBadge } from '../parts/status-badge.tsx';
import { StatusFilter } from '../parts/status-filter.tsx';
import { Table } from '../parts/table.tsx';
import { useUrlFilter } from '../parts/url-filter.ts';

const STATUSES: readonly PaymentRequestStatus[] = [
  'pending',
  'signed',
  'broadcasted',
  'confirmed',
  'rejected',
  'expired',
  'failed',
];

/** The newest requests, of the organization or of one connection; follows changes by itself. */
export function RequestList({ connectionId }: { connectionId?: string }) {
  const [status, setStatus] = useUrlFilter('status', STATUSES);
  const pages = usePages({
    key: ['payment-requests', 'list', connectionId ?? null, status ?? null],
    read: (cursor, signal) => {
      const filters = {
        ...(status === undefined ? {} : { status }),
        ...(connectionId === undefined ? {} : { connection_id: connectionId }),
      };
      return merchantClient.paymentRequests.list({ limit: 25, ...filters, ...cursor }, { signal });
    },
    next: (page) => page.next_cursor,
    everyMs: LIST_MS,
  });
  return (
    <div className="stack">
      <div className="filters">
        <StatusFilter label={texts.filter} statuses={STATUSES} value={status} onChange={setStatus} />
        <LiveMark query={pages.query} />
      </div>
      <QueryView query={pages.query}>
        {(page) =>
          page.payment_requests.length === 0 ? (
            <NoRequests isFiltered={status !== undefined} isOfOne={connectionId !== undefined} />
          ) : (
            <div className="stack">
              <RequestTable requests={page.payment_requests} />
              <PageSteps pages={pages} />
            </div>
          )
        }
      </QueryView>
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
  return (
    <Table label={texts.table} heads={[heads.amount, heads.payee, heads.status, heads.agent, heads.asked]}>
      {requests.map((request) => {
        const amount = `${request.payment.amount} ${request.payment.asset}`;
        return (
          <tr key={`${request.connection_id} ${request.request_id}`}>
            <td className="amount-cell" data-is-long={amount.length > 24}>
              <Link
                href={`/payment-requests/${pathPart(request.request_id)}?connection=${request.connection_id}`}
                aria-label={texts.open(amount)}
              >
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

export function agentName(request: PaymentRequest): string {
  const name = request.source['agent_name'];
  return typeof name === 'string' ? name : '';
}
