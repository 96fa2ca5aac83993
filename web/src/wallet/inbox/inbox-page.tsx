import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { Link } from 'wouter';
import { inbox, shell } from '../../texts/wallet.ts';
import { Arrival } from '../../ui/arrivals.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState, Note, useOnline } from '../../ui/notes.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { openInvitationsQuery } from '../connections/queries.ts';
import { CutNote } from '../cut-note.tsx';
import { recentQuery, waitingQuery } from '../payments/gateway.ts';
import type { Payment } from '../payments/payment.ts';
import { policiesQuery, proposedIn } from '../policies/queries.ts';
import { MOST_RECORDS } from '../read-up-to.ts';
import { useWallet } from '../session/session.tsx';
import { useInstallOffer } from './install-offer.ts';
import { PaymentList } from './payment-list.tsx';

// Few devices show these, so the first view does not wait for their code.
const WaitingDevice = onDemand(() => import('../devices/cannot-approve.tsx'), 'WaitingDevice');
const FirstWeek = onDemand(() => import('../first-week.tsx'), 'FirstWeek');

const FIRST = 20;
const MORE = 100;

export function InboxPage({ isLive: isFollowed }: { isLive: boolean }) {
  const isOnline = useOnline();
  const isLive = isFollowed && isOnline;
  const client = useWallet();
  const [limit, setLimit] = useState(FIRST);
  const waiting = useQuery(waitingQuery(client));
  const recent = useQuery(recentQuery(client, limit));
  // Whatever follows the lists appears after them: otherwise they would push it down.
  const areListed = !waiting.isLoading && !recent.isLoading;
  return (
    <Page title={inbox.title}>
      {isFollowed || !isOnline ? null : (
        <Arrival>
          <Note kind="warn">{inbox.lost}</Note>
        </Arrival>
      )}
      <Suspense>
        <WaitingDevice />
      </Suspense>
      <AskingAgents />
      <ProposedPolicies />
      <section className="stack" aria-labelledby="waiting">
        <h2 id="waiting">{inbox.waiting}</h2>
        <QueryView query={waiting}>
          {(payments) =>
            payments.length > 0 ? (
              <>
                <CutNote count={payments.length} />
                <PaymentList level="h3" payments={payments} momentOf={deadlineOf} heading={inbox.expiresOn} />
              </>
            ) : (
              <EmptyState
                title={inbox.emptyTitle}
                action={
                  <Link className="button" data-kind="main" href="/connect">
                    {inbox.emptyAction}
                  </Link>
                }
              >
                {inbox.empty}
              </EmptyState>
            )
          }
        </QueryView>
      </section>
      {recent.data === undefined || recent.data.length === 0 ? null : (
        <section className="stack" aria-labelledby="recent">
          <h2 id="recent">{inbox.recent}</h2>
          <PaymentList level="h3" payments={recent.data} momentOf={createdOf} />
          {recent.data.length < limit && !recent.isPlaceholderData ? null : limit < MOST_RECORDS ? (
            <Button isBusy={recent.isPlaceholderData} onClick={() => setLimit(nextLimit)}>
              {inbox.more}
            </Button>
          ) : (
            <CutNote count={recent.data.length} />
          )}
        </section>
      )}
      {areListed ? (
        <>
          <Suspense>
            <FirstWeek />
          </Suspense>
          <InstallHint />
          {isLive && waiting.isSuccess ? <p className="soft">{inbox.live}</p> : null}
        </>
      ) : null}
    </Page>
  );
}

const deadlineOf = ({ expiresAt }: Payment) => expiresAt;
const createdOf = ({ createdAt }: Payment) => createdAt;

function nextLimit(limit: number): number {
  return Math.min(limit + MORE, MOST_RECORDS);
}

function AskingAgents() {
  const asking = useQuery(openInvitationsQuery(useWallet())).data?.length ?? 0;
  if (asking === 0) return null;
  return (
    <Arrival>
      <Note>
        <span className="row-between">
          <strong>{inbox.invitations(asking)}</strong>
          <Link className="button" href="/invitations">
            {inbox.reviewInvitations}
          </Link>
        </span>
      </Note>
    </Arrival>
  );
}

function ProposedPolicies() {
  const proposed = proposedIn(useQuery(policiesQuery(useWallet())).data);
  if (proposed === 0) return null;
  return (
    <Arrival>
      <Note>
        <span className="row-between">
          <strong>{inbox.policies(proposed)}</strong>
          <Link className="button" href="/policies">
            {inbox.reviewInvitations}
          </Link>
        </span>
      </Note>
    </Arrival>
  );
}

function InstallHint() {
  const offer = useInstallOffer();
  if (offer === undefined) return null;
  return (
    <Note texts={shell.install}>
      {offer.install === undefined ? <span>{shell.install.byHand}</span> : null}
      <div className="row">
        {offer.install === undefined ? null : <Button onClick={offer.install}>{shell.install.action}</Button>}
        <Button kind="plain" onClick={offer.dismiss}>
          {shell.install.dismiss}
        </Button>
      </div>
    </Note>
  );
}
