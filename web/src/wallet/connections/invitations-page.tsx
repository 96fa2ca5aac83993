import type { ConnectInvitation, Scope } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { invitationStatusTexts, invitations } from '../../texts/wallet.ts';
import { ConfirmButton } from '../../ui/action-buttons.tsx';
import { Button } from '../../ui/button.tsx';
import { Moment } from '../../ui/facts.tsx';
import { PartyName } from '../../ui/foreign-text.tsx';
import { Badge, EmptyState, Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { FirstWeek } from '../first-week.tsx';
import { useWallet } from '../session/session.tsx';
import { decidedInvitationsQuery, openInvitationsQuery } from './queries.ts';
import { RequesterReview } from './requester-review.tsx';

type Outcome = 'approved' | 'rejected';

export function InvitationsPage() {
  const client = useWallet();
  const open = useQuery(openInvitationsQuery(client));
  const decided = useQuery(decidedInvitationsQuery(client));
  const [outcome, setOutcome] = useState<Outcome>();
  return (
    <Page title={invitations.title}>
      {outcome === undefined ? null : (
        <Note kind={outcome === 'approved' ? 'good' : 'plain'}>
          <strong role="status">{invitations[outcome]}</strong>
          {outcome === 'approved' ? <Link href="/agents">{invitations.toAgents}</Link> : null}
        </Note>
      )}
      <QueryView query={open}>
        {(asking) =>
          asking.length > 0 && outcome !== undefined ? (
            // A second tap on the same place must not decide on the next request.
            <Button onClick={() => setOutcome(undefined)}>{invitations.next(asking.length)}</Button>
          ) : asking.length > 0 ? (
            <>
              {asking.length > 1 ? <Note>{invitations.more(asking.length - 1)}</Note> : null}
              {/*
               * One at a time: each has the whole screen, and buttons that belong to no other. The list is newest first;
               * the oldest is shown, so that a later one never takes its place.
               */}
              {asking.slice(-1).map((invitation) => (
                <OpenInvitation
                  key={invitation.connect_invitation_id}
                  invitation={invitation}
                  onDecided={setOutcome}
                />
              ))}
            </>
          ) : outcome === undefined ? (
            <EmptyState
              title={invitations.emptyTitle}
              action={
                <Link className="button" data-kind="main" href="/connect">
                  {invitations.emptyAction}
                </Link>
              }
            >
              {invitations.empty}
            </EmptyState>
          ) : null
        }
      </QueryView>
      {outcome === 'approved' ? <FirstWeek /> : null}
      {decided.data === undefined || decided.data.length === 0 ? null : (
        <Decided decided={decided.data} onDecided={setOutcome} />
      )}
    </Page>
  );
}

interface InvitationProps {
  invitation: ConnectInvitation;
  onDecided(outcome: Outcome): void;
}

function useDecisions({ invitation: { connect_invitation_id: id }, onDecided }: InvitationProps) {
  const client = useWallet();
  const finish = async (outcome: Outcome) => {
    onDecided(outcome);
    await refresh('invitations', 'connections');
  };
  return {
    async approve(scopes: Scope[]) {
      await client.invitations.approve(id, { scopes });
      await finish('approved');
    },
    async reject() {
      await client.invitations.reject(id);
      await finish('rejected');
    },
  };
}

function OpenInvitation(props: InvitationProps) {
  const { approve, reject } = useDecisions(props);
  return <RequesterReview requester={props.invitation} onApprove={approve} onReject={reject} />;
}

interface DecidedProps {
  decided: readonly ConnectInvitation[];
  onDecided(outcome: Outcome): void;
}

function Decided({ decided, onDecided }: DecidedProps) {
  return (
    <section className="stack-tight" aria-labelledby="decided-title">
      <h2 id="decided-title">{invitations.former}</h2>
      <ul className="wallet-list">
        {decided.map((invitation) => (
          <li className="card row-between clamped" key={invitation.connect_invitation_id}>
            <PartyName inline>{invitation.agent.name}</PartyName>
            <span className="row">
              <Moment>{invitation.created_at}</Moment>
              <Badge>{invitationStatusTexts[invitation.status]}</Badge>
              {invitation.status === 'approved' ? (
                <TakeBack invitation={invitation} onDecided={onDecided} />
              ) : null}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The customer can still take an approval back until the agent fetches its credential. */
function TakeBack(props: InvitationProps) {
  const { reject } = useDecisions(props);
  const { takeBack } = invitations;
  return <ConfirmButton texts={takeBack} run={reject} />;
}
