import type { Connection } from '@payassent/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { connections as texts } from '../../texts/portal/connections.ts';
import { ConfirmButton } from '../../ui/dialogs.tsx';
import { Facts, Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { EmptyState, Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { merchantClient } from '../client.ts';
import { CALM_MS } from '../parts/intervals.ts';
import { StatusBadge } from '../parts/status-badge.tsx';
import { RequestList } from '../payment-requests/request-list.tsx';
import { offered } from '../shell/offered.tsx';
import { ScopeWords } from './connections-page.tsx';
import { useConnection } from './use-connections.ts';

export function ConnectionPage({ id }: { id: string }) {
  const query = useConnection(id, CALM_MS);
  return (
    <Page title={texts.detailTitle}>
      <QueryView query={query}>
        {(connection) => (connection === null ? <NotFound /> : <Detail connection={connection} />)}
      </QueryView>
    </Page>
  );
}

function NotFound() {
  const action = (
    <Link className="button" href="/connections">
      {texts.notFound.action}
    </Link>
  );
  return (
    <EmptyState title={texts.notFound.title} action={action}>
      {texts.notFound.text}
    </EmptyState>
  );
}

function Detail({ connection }: { connection: Connection }) {
  const { merchant } = connection;
  return (
    <div className="stack">
      <section className="card stack">
        <Facts
          facts={[
            [texts.facts.status, <StatusBadge key="status" status={connection.status} />],
            [
              texts.facts.agent,
              <ForeignText key="agent" inline>
                {connection.agent.name}
              </ForeignText>,
            ],
            [texts.facts.scopes, <ScopeWords key="scopes" scopes={connection.scopes} />],
            [
              texts.facts.merchant,
              <span key="merchant">
                <ForeignText inline>{merchant.name}</ForeignText>
                {merchant.verified_domain === null
                  ? `, ${texts.facts.noDomain}`
                  : `, ${texts.facts.domain} ${merchant.verified_domain}`}
              </span>,
            ],
            [texts.facts.created, <Moment key="created">{connection.created_at}</Moment>],
            [texts.facts.changed, <Moment key="changed">{connection.updated_at}</Moment>],
            [texts.facts.id, <code key="id">{connection.connection_id}</code>],
          ]}
        />
        <p>{texts.statusMeaning[connection.status]}</p>
        {connection.status === 'revoked' ? null : <EndConnection id={connection.connection_id} />}
      </section>
      <Note>{texts.privacy}</Note>
      <h2>{texts.requests}</h2>
      <RequestList connectionId={connection.connection_id} />
    </div>
  );
}

const EndConnection = offered('DELETE /v1/connections/{}', function EndConnection({ id }: { id: string }) {
  const queries = useQueryClient();
  const revoke = async () => {
    await merchantClient.connections.revoke(id);
    await queries.invalidateQueries({ queryKey: ['connections'] });
  };
  return (
    <div>
      <ConfirmButton
        label={texts.revoke.label}
        title={texts.revoke.title}
        confirmLabel={texts.revoke.confirm}
        run={revoke}
      >
        {texts.revoke.text}
      </ConfirmButton>
    </div>
  );
});
