import type { Connection } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { connections as texts } from '../../texts/portal/connections.ts';
import { ConfirmButton } from '../../ui/action-buttons.tsx';
import { Facts, Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { EmptyState, Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { merchantClient } from '../client.ts';
import { PagedTable, Row, RowLink, StatusBadge, usePages } from '../parts/lists.tsx';
import { CALM_MS } from '../parts/live.tsx';
import { RequestList } from '../payment-requests/request-list.tsx';
import { offered } from '../shell/offered.tsx';

export function ConnectionsPage() {
  const pages = usePages({
    key: ['connections', 'list'],
    read: (cursor, signal) => merchantClient.connections.list({ limit: 25, ...cursor }, { signal }),
    everyMs: CALM_MS,
  });
  return (
    <Page title={texts.title}>
      <p className="soft">{texts.lead}</p>
      <PagedTable pages={pages} texts={texts} rows={(page) => page.connections} empty={<NoConnections />}>
        {(connection) => (
          <Row key={connection.connection_id}>
            <td>
              <RowLink href={`/connections/${connection.connection_id}`}>{texts.userSide}</RowLink>
              <br />
              <code className="soft">{connection.connection_id}</code>
            </td>
            <ForeignText inline>{connection.agent.name}</ForeignText>
            <StatusBadge status={connection.status} />
            <ScopeWords scopes={connection.scopes} />
            <Moment>{connection.created_at}</Moment>
          </Row>
        )}
      </PagedTable>
    </Page>
  );
}

function NoConnections() {
  const action = (
    <Link className="button" href="/agents">
      {texts.empty.action}
    </Link>
  );
  return (
    <EmptyState title={texts.empty.title} action={action}>
      {texts.empty.text}
    </EmptyState>
  );
}

export function ScopeWords({ scopes }: { scopes: readonly string[] }) {
  return (
    <ul className="plain-list">
      {scopes.map((scope) => (
        <li key={scope}>{texts.scopes[scope] ?? scope}</li>
      ))}
    </ul>
  );
}

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
  return (
    <ConfirmButton
      texts={texts.revoke}
      run={() => merchantClient.connections.revoke(id)}
      refreshes={['connections']}
    />
  );
});

const LOOK_AT_MOST = 2_000;

/** The API lists connections and has no call for one: search the pages, newest first, up to a bound. */
async function findConnection(id: string, signal: AbortSignal): Promise<Connection | null> {
  let looked = 0;
  for await (const connection of merchantClient.connections.each({ limit: 100 }, { signal })) {
    if (connection.connection_id === id) return connection;
    looked += 1;
    if (looked >= LOOK_AT_MOST) break;
  }
  return null;
}

export function useConnection(id: string, everyMs: number) {
  return useQuery({
    queryKey: ['connections', 'one', id],
    queryFn: ({ signal }) => findConnection(id, signal),
    refetchInterval: everyMs,
  });
}
