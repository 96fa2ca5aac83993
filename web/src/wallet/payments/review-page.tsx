import { isApiError } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from 'wouter';
import { outcomes, progress, review, shell } from '../../texts/wallet.ts';
import { Arrivals } from '../../ui/arrivals.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { EmptyState, Note, type Tone } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { useAgent } from '../connections/use-agent.ts';
import { useDecisionKey } from '../decisions/queries.ts';
import { CannotApprove } from '../devices/cannot-approve.tsx';
import { LogNote } from '../log/payee-check.tsx';
import { useWallet } from '../session/session.tsx';
import { Decision } from './decision.tsx';
import { historyQuery, paymentQuery } from './gateway.ts';
import { DangerNote, ReviewNotes } from './notes.tsx';
import { type Outcome, TONES } from './outcome.ts';
import { hasPinnedFacts, isPaid, type Payment, paymentKey } from './payment.ts';
import { PinnedFacts } from './pinned-facts.tsx';
import { type PaymentPlace, placeIn, receiptPath } from './places.ts';
import { PaymentProgress } from './progress.tsx';
import { Said } from './said.tsx';
import { type ApprovalRun, useApproval } from './use-approval.ts';
import { useChecks } from './use-checks.ts';
import { outcomeHere, useJournal } from './use-journal.ts';
import './sheet.css';

export function ReviewPage() {
  // The router follows the address but decodes the query once too often: an id with a per cent sign would become another.
  useSearch();
  const place = placeIn(location);
  return place === undefined ? (
    <Page title={review.title} actions={<Back />}>
      <EmptyState title={shell.notFound.title}>{shell.notFound.text}</EmptyState>
    </Page>
  ) : (
    <ReviewedPayment place={place} />
  );
}

function Back() {
  return (
    <Link className="button" data-kind="plain" href="/">
      <Icon name="back" />
      {review.back}
    </Link>
  );
}

function ReviewedPayment({ place }: { place: PaymentPlace }) {
  const client = useWallet();
  const query = useQuery(paymentQuery(client, place));
  // Loaded together, so that the sheet appears with the result of the comparison.
  useQuery(historyQuery(client));
  const payment = query.data;
  // Read with the payment, not after it: a payment sent here is never called merely reported, not even for a moment.
  const kept = useJournal({ key: paymentKey(place.kind, place.connectionId, place.id) });
  const outcome = payment === undefined ? 'pending' : outcomeHere(payment, kept);
  const isDone = payment?.isFinal ?? false;
  return (
    <Page title={outcomes.titles[outcome]} actions={isDone ? <ResultMark tone={TONES[outcome]} /> : <Back />}>
      {isApiError(query.error, 'resource_not_found') && payment === undefined ? (
        <EmptyState title={review.elsewhere.title}>{review.elsewhere.text}</EmptyState>
      ) : (
        <QueryView query={query}>
          {(payment) => <Review payment={payment} outcome={outcome} key={payment.key} />}
        </QueryView>
      )}
    </Page>
  );
}

const MARKS: Record<Tone, IconName> = {
  good: 'done',
  bad: 'failed',
  warn: 'clock',
  accent: 'clock',
  plain: 'clock',
};

/** The outcome of the payment, to be seen before anything is read. The words are in the title. */
function ResultMark({ tone }: { tone: Tone }) {
  return (
    <span className="result-mark" data-tone={tone}>
      <Icon name={MARKS[tone]} />
    </span>
  );
}

function Review({ payment, outcome }: { payment: Payment; outcome: Outcome }) {
  const holds = hasPinnedFacts(payment);
  // Held here, so that the message about an attempt outlives the change of its status.
  const approval = useApproval();
  const isOpen = payment.status === 'pending';
  return (
    <>
      <p className="visually-hidden" role="status">
        {review.now(outcomes.states[outcome])}
      </p>
      {/* A view for each: nothing of the one moves to its place in the next. */}
      {isOpen ? (
        <OpenPayment key="open" {...{ payment, holds, approval }} />
      ) : (
        <DecidedPayment
          key={payment.isFinal ? 'done' : 'decided'}
          {...{ payment, holds, approval, outcome }}
        />
      )}
    </>
  );
}

interface ViewProps {
  payment: Payment;
  holds: boolean;
  approval: ApprovalRun;
}

function OpenPayment({ payment, holds, approval }: ViewProps) {
  const agent = useAgent(payment);
  const checks = useChecks(payment);
  const { hasDanger } = checks;
  const hasNoKey = useDecisionKey().data?.cannotApprove ?? false;
  return (
    <Arrivals page={payment.key} needs={NEEDED_CHECKS}>
      <div className="stack">
        {hasDanger ? <DangerNote payment={payment} checks={checks} /> : null}
        {hasNoKey ? <CannotApprove /> : null}
        <PinnedFacts payment={payment} holds={holds} agent={agent} hasDanger={hasDanger} />
        {holds ? null : <Note kind="bad" texts={review.broken} />}
        <LogNote payment={payment} />
        <ReviewNotes payment={payment} checks={checks} />
        <Said payment={payment} agentName={agent.name} />
        {holds ? <Decision payment={payment} approval={approval} checks={checks} /> : null}
      </div>
    </Arrivals>
  );
}

/** These decide whether a warning is above the sheet. */
const NEEDED_CHECKS = [['payments', 'history'], ['connections'], ['decision-key']];

/** A separate view, with nothing left to decide: the outcome, the receipt, and the next link. */
function DecidedPayment({ payment, holds, approval, outcome }: ViewProps & { outcome: Outcome }) {
  const agent = useAgent(payment);
  const kept = useJournal(payment);
  // The next step comes first, and moves nothing when it appears.
  const isAtRest = payment.isFinal || (!approval.isBusy && kept !== undefined);
  return (
    <>
      <PinnedFacts payment={payment} holds={holds} agent={agent} hasDanger={false} />
      {holds ? null : <Note kind="bad" texts={review.broken} />}
      <PaymentProgress payment={payment} holds={holds} approval={approval} outcome={outcome} />
      {isAtRest ? <Said payment={payment} agentName={agent.name} /> : null}
      {payment.isFinal ? (
        <nav className="decision-bar" aria-label={progress.next}>
          <span className="decision-buttons">
            {isPaid(payment) ? (
              <Link className="button" data-size="large" href={receiptPath(payment)}>
                {progress.receipt}
              </Link>
            ) : null}
            <Link className="button" data-kind="main" data-size="large" href="/">
              {progress.done}
            </Link>
          </span>
        </nav>
      ) : null}
    </>
  );
}
