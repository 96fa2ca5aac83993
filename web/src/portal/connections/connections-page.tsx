import type { Connection } from '@payassent/sdk';
import { Link } from 'wouter';
import { connections as texts } from '../../texts/portal/connections.ts';
import { Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { merchantClient } from '../client.ts';
import { CALM_MS } from '../parts/intervals.ts';
import { PageSteps, usePages } from '../parts/pages.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { Table } from '../parts/table.tsx';

export function ConnectionsPage() {
  const pages = usePages({
    key: ['connections', 'list'],
    read: (cursor, signal) => merchantClient.connections.list({ limit: 25, ...cursor }, { signal }),
    next: (page) => page.next_cursor,
    everyMs: CALM_MS,
  });
  return (
    <Page title={texts.title}>
      <p className="soft">{texts.lead}</p>
      <QueryView query={pages.query}>
        {(page) =>
          page.connections.length === 0 ? (
            <NoConnections />
          ) : (
            <div className="stack">
              <ConnectionTable connections={page.connections} />
              <PageSteps pages={pages} />
            </div>
          )
        }
      </QueryView>
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

function ConnectionTable({ connections }: { connections: readonly Connection[] }) {
  return (
    <Table label={texts.table} heads={Object.values(texts.heads)}>
      {connections.map((connection) => (
        <tr key={connection.connection_id}>
          <td>
            <Link href={`/connections/${connection.connection_id}`}>{texts.userSide}</Link>
            <br />
            <code className="soft">{connection.connection_id}</code>
          </td>
          <td>
            <ForeignText inline>{connection.agent.name}</ForeignText>
          </td>
          <td>
            <StatusBadge status={connection.status} />
          </td>
          <td>
            <ScopeWords scopes={connection.scopes} />
          </td>
          <td className="nowrap">
            <Moment>{connection.created_at}</Moment>
          </td>
        </tr>
      ))}
    </Table>
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
