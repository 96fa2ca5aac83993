import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearch } from 'wouter';
import { review, shell, statusTexts } from '../../texts/wallet.ts';
import { Icon } from '../../ui/icon.tsx';
import { EmptyState, Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { connectionsQuery } from '../connections/queries.ts';
import { StatusBadge } from '../inbox/payment-row.tsx';
import { LogNote } from '../log/payee-check.tsx';
import { useWallet } from '../session/session.tsx';
import { Decision } from './decision.tsx';
import { paymentQuery } from './gateway.ts';
import { DangerNote, ReviewNotes } from './notes.tsx';
import { hasPinnedFacts, type Payment } from './payment.ts';
import { PinnedFacts } from './pinned-facts.tsx';
import { type PaymentPlace, placeIn } from './places.ts';
import { PaymentProgress } from './progress.tsx';
import { Said } from './said.tsx';
import { useApproval } from './use-approval.ts';
import { useChecks } from './use-checks.ts';
import './sheet.css';

export function ReviewPage() {
  // The router follows the address but decodes the query once too often: an id with a per cent sign would become another.
  useSearch();
  const place = placeIn(location);
  return (
    <Page
      title={review.title}
      actions={
        <Link className="button" data-kind="plain" href="/">
          <Icon name="back" />
          {review.back}
        </Link>
      }
    >
      {place === undefined ? (
        <EmptyState title={shell.notFound.title}>{shell.notFound.text}</EmptyState>
      ) : (
        <ReviewedPayment place={place} />
      )}
    </Page>
  );
}

function ReviewedPayment({ place }: { place: PaymentPlace }) {
  const query = useQuery(paymentQuery(useWallet(), place));
  return <QueryView query={query}>{(payment) => <Review payment={payment} key={payment.key} />}</QueryView>;
}

function Review({ payment }: { payment: Payment }) {
  const holds = hasPinnedFacts(payment);
  // Here, so that what is said about an attempt outlives the change of its status.
  const approval = useApproval();
  const connections = useQuery(connectionsQuery(useWallet())).data;
  const connection = connections?.find(({ connection_id }) => connection_id === payment.connectionId);
  const agentName = payment.agentName ?? connection?.agent.name;
  const agent = { id: connection?.agent.agent_id ?? payment.connectionId, name: agentName };
  const isOpen = payment.status === 'pending';
  const checks = useChecks(payment);
  const hasDanger = isOpen && checks.dangers.length > 0;
  const [wasOpen] = useState(isOpen);
  return (
    <>
      <p className="visually-hidden" role="status">
        {review.now(statusTexts[payment.status])}
      </p>
      {hasDanger ? <DangerNote payment={payment} checks={checks} /> : null}
      <PinnedFacts payment={payment} holds={holds} agent={agent} hasDanger={hasDanger} />
      {holds ? null : <Note kind="bad" texts={review.broken} />}
      {isOpen ? null : (
        <div className="row">
          <StatusBadge status={payment.status} />
        </div>
      )}
      {isOpen ? null : (
        <PaymentProgress payment={payment} holds={holds} approval={approval} takesFocus={wasOpen} />
      )}
      {isOpen ? <LogNote payment={payment} /> : null}
      {isOpen ? <ReviewNotes payment={payment} checks={checks} /> : null}
      <Said payment={payment} agentName={agentName} />
      {isOpen && holds ? <Decision payment={payment} approval={approval} checks={checks} /> : null}
    </>
  );
}
