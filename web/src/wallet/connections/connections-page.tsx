import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { connections, inbox } from '../../texts/wallet.ts';
import { EmptyState, Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { openInvitationsQuery } from '../invitations/queries.ts';
import { CutNote } from '../lists/cut-note.tsx';
import { useWallet } from '../session/session.tsx';
import { ConnectionCard } from './connection-card.tsx';
import { connectionsQuery } from './queries.ts';

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
