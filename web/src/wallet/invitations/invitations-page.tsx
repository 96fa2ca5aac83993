import type { ConnectInvitation, Scope } from '@countersign/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { invitationStatusTexts, invitations } from '../../texts/wallet.ts';
import { Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Badge, EmptyState, Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { useWallet } from '../session/session.tsx';
import { decidedInvitationsQuery, openInvitationsQuery } from './queries.ts';
import { RequesterReview } from './requester-review.tsx';

export function InvitationsPage() {
  const client = useWallet();
  const open = useQuery(openInvitationsQuery(client));
  const decided = useQuery(decidedInvitationsQuery(client));
  const [outcome, setOutcome] = useState<'approved' | 'rejected'>();
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
          asking.length > 0 ? (
            asking.map((invitation) => (
              <OpenInvitation
                key={invitation.connect_invitation_id}
                invitation={invitation}
                onDecided={setOutcome}
              />
            ))
          ) : outcome === undefined ? (
            <EmptyState
              title={invitations.emptyTitle}
              action={
                <Link className="button" href="/connect">
                  {invitations.emptyAction}
                </Link>
              }
            >
              {invitations.empty}
            </EmptyState>
          ) : null
        }
      </QueryView>
      {decided.data === undefined || decided.data.length === 0 ? null : <Decided decided={decided.data} />}
    </Page>
  );
}

interface OpenInvitationProps {
  invitation: ConnectInvitation;
  onDecided(outcome: 'approved' | 'rejected'): void;
}

function OpenInvitation({ invitation, onDecided }: OpenInvitationProps) {
  const client = useWallet();
  const cache = useQueryClient();
  const finish = async (outcome: 'approved' | 'rejected') => {
    onDecided(outcome);
    await cache.invalidateQueries({ queryKey: ['invitations'] });
    await cache.invalidateQueries({ queryKey: ['connections'] });
  };
  const approve = async (scopes: Scope[]) => {
    await client.invitations.approve(invitation.connect_invitation_id, { scopes });
    await finish('approved');
  };
  const reject = async () => {
    await client.invitations.reject(invitation.connect_invitation_id);
    await finish('rejected');
  };
  return <RequesterReview requester={invitation} onApprove={approve} onReject={reject} />;
}

function Decided({ decided }: { decided: readonly ConnectInvitation[] }) {
  return (
    <section className="stack-tight" aria-labelledby="decided-title">
      <h2 id="decided-title">{invitations.former}</h2>
      <ul className="wallet-list">
        {decided.map((invitation) => (
          <li className="card row-between clamped" key={invitation.connect_invitation_id}>
            <ForeignText inline>{invitation.agent.name}</ForeignText>
            <span className="row">
              <Moment>{invitation.created_at}</Moment>
              <Badge>{invitationStatusTexts[invitation.status]}</Badge>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
