import type { Connection } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { connections, inbox, invitations } from '../../texts/wallet.ts';
import { ActionButton, ConfirmButton } from '../../ui/action-buttons.tsx';
import { Facts, Moment } from '../../ui/facts.tsx';
import { PartyName, partyNameText } from '../../ui/foreign-text.tsx';
import { Badge, EmptyState, Note, type Tone } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { CutNote } from '../cut-note.tsx';
import { EditNickname, Nickname } from '../nicknames/nickname.tsx';
import { useWallet } from '../session/session.tsx';
import { FormerNames } from './former-names.tsx';
import { connectionsQuery, openInvitationsQuery } from './queries.ts';
import { ScopeList } from './requester-review.tsx';

export function ConnectionsPage() {
  const client = useWallet();
  const query = useQuery(connectionsQuery(client));
  const asking = useQuery(openInvitationsQuery(client)).data?.length ?? 0;
  return (
    <Page
      title={connections.title}
      actions={
        <Link className="button" data-kind="main" href="/connect">
          {connections.emptyAction}
        </Link>
      }
    >
      {asking === 0 ? null : (
        <Note>
          <span className="row-between">
            <strong>{inbox.invitations(asking)}</strong>
            <Link className="button" href="/invitations">
              {inbox.reviewInvitations}
            </Link>
          </span>
        </Note>
      )}
      <QueryView query={query}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState title={connections.emptyTitle}>{connections.empty}</EmptyState>
          ) : (
            <>
              <CutNote count={all.length} />
              <ul className="wallet-list">
                {[...all]
                  .sort((a, b) => Number(a.status === 'revoked') - Number(b.status === 'revoked'))
                  .map((connection) => (
                    <li key={connection.connection_id}>
                      <ConnectionCard connection={connection} />
                    </li>
                  ))}
              </ul>
            </>
          )
        }
      </QueryView>
      <p>
        <Link href="/invitations">{connections.whoAsked}</Link>
      </p>
    </Page>
  );
}

const TONES: Record<Connection['status'], Tone> = { active: 'good', paused: 'warn', revoked: 'plain' };

function ConnectionCard({ connection }: { connection: Connection }) {
  const { agent, merchant, status } = connection;
  return (
    <article className="card stack" aria-label={partyNameText(agent.name)}>
      <div className="row-between wallet-name">
        <h2>
          <PartyName inline>{agent.name}</PartyName>
        </h2>
        <Badge tone={TONES[status]}>{connections.status[status]}</Badge>
      </div>
      <Nickname id={connection.connection_id} />
      {status === 'revoked' ? null : <FormerNames connection={connection} />}
      <Facts
        facts={[
          [invitations.merchant, <PartyName key="merchant">{merchant.name}</PartyName>],
          [
            invitations.domain,
            merchant.verified_domain === null ? (
              invitations.unverified
            ) : (
              <span className="mono" key="domain">
                {merchant.verified_domain}
              </span>
            ),
          ],
          [connections.may, <ScopeList key="scopes" scopes={connection.scopes} />],
          [connections.since, <Moment key="since">{connection.created_at}</Moment>],
        ]}
      />
      <EditNickname id={connection.connection_id} trueName={partyNameText(agent.name)} />
      {status === 'revoked' ? null : <Actions connection={connection} />}
    </article>
  );
}

function Actions({ connection: { connection_id, status } }: { connection: Connection }) {
  const client = useWallet();
  const [isRotated, setRotated] = useState(false);
  const toggle = async () => {
    await (status === 'active'
      ? client.connections.pause(connection_id)
      : client.connections.resume(connection_id));
    await refresh();
  };
  const rotate = async () => {
    await client.connections.rotateToken(connection_id);
    setRotated(true);
  };
  const { rotate: rotateTexts, revoke: revokeTexts } = connections;
  return (
    <>
      {status === 'paused' ? <p className="soft">{connections.pausedExplains}</p> : null}
      <p role="status">{isRotated ? rotateTexts.done : ''}</p>
      <div className="row">
        <ActionButton run={toggle}>
          {status === 'active' ? connections.pause : connections.resume}
        </ActionButton>
        <ConfirmButton texts={rotateTexts} kind="usual" run={rotate} />
        <ConfirmButton
          texts={revokeTexts}
          run={() => client.connections.revoke(connection_id)}
          refreshes={[]}
        >
          <ul className="plain-list">
            {revokeTexts.consequences.map((consequence) => (
              <li key={consequence}>{consequence}</li>
            ))}
          </ul>
        </ConfirmButton>
      </div>
    </>
  );
}
