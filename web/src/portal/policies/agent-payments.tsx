import { AGENT_PAYMENT_STATUSES } from '@payassent/protocol';
import type { AgentPayment } from '@payassent/sdk';
import { Link } from 'wouter';
import { agentPayments as texts } from '../../texts/portal/policies.ts';
import { ConfirmButton } from '../../ui/action-buttons.tsx';
import { Address, Moment, Sum } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { merchantClient } from '../client.ts';
import { PagedTable, PaymentBadge, Row, StatusFilter, usePages, useUrlFilter } from '../parts/lists.tsx';
import { LIST_MS, LiveMark } from '../parts/live.tsx';
import { Offered } from '../shell/offered.tsx';

export function AgentPaymentsPage() {
  const back = (
    <Link className="button" href="/policies">
      {texts.backToPolicies}
    </Link>
  );
  return (
    <Page title={texts.title} actions={back}>
      <p className="soft">{texts.lead}</p>
      <AgentPaymentList />
    </Page>
  );
}

export function AgentPaymentList({ connectionId }: { connectionId?: string }) {
  const [status, setStatus] = useUrlFilter('status', AGENT_PAYMENT_STATUSES);
  const pages = usePages({
    key: ['agent-payments', connectionId ?? null, status ?? null],
    read: (cursor, signal) => {
      const filters = {
        ...(status === undefined ? {} : { status }),
        ...(connectionId === undefined ? {} : { connection_id: connectionId }),
      };
      return merchantClient.agentPayments.list({ limit: 25, ...filters, ...cursor }, { signal });
    },
    everyMs: LIST_MS,
  });
  return (
    <div className="stack">
      <div className="filters">
        <StatusFilter
          label={texts.filter}
          statuses={AGENT_PAYMENT_STATUSES}
          value={status}
          onChange={setStatus}
        />
        <LiveMark query={pages.query} />
      </div>
      <PagedTable
        pages={pages}
        texts={texts}
        rows={(page) => page.items}
        isFiltered={status !== undefined}
        sums={[texts.heads.amount]}
        empty={
          <EmptyState
            title={texts.empty.title}
            action={
              connectionId === undefined ? <Link href="/policies">{texts.empty.action}</Link> : undefined
            }
          >
            {texts.empty.text}
          </EmptyState>
        }
      >
        {(payment) => <PaymentRow key={payment.id} payment={payment} />}
      </PagedTable>
    </div>
  );
}

function PaymentRow({ payment }: { payment: AgentPayment }) {
  const name = payment.payee?.['name'];
  return (
    <Row>
      <td className="amount-cell">
        <Sum amount={payment.amount} /> <ForeignText inline>{payment.asset}</ForeignText>
      </td>
      {typeof name === 'string' ? <ForeignText inline>{name}</ForeignText> : <Address>{payment.to}</Address>}
      <PaymentBadge payment={payment} />
      {texts.by[payment.initiated_by]}
      <Moment>{payment.created_at}</Moment>
      {payment.status === 'intent_created' ? (
        <Offered call="POST /v1/agent-payments/{}/cancel">
          <ConfirmButton
            texts={texts.cancel}
            run={() => merchantClient.agentPayments.cancel(payment.id)}
            refreshes={['agent-payments', 'policies']}
          />
        </Offered>
      ) : null}
    </Row>
  );
}
