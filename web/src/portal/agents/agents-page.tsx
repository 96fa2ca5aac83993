import type { Agent } from '@payassent/sdk';
import { Link } from 'wouter';
import { agentTexts as texts } from '../../texts/portal/agents.ts';
import { Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { merchantClient } from '../client.ts';
import { PageSteps, usePages } from '../parts/pages.tsx';
import { Table } from '../parts/table.tsx';
import { useMerchant } from '../session.ts';
import { Offered } from '../shell/offered.tsx';
import { PendingMerchant } from '../shell/pending-merchant.tsx';
import { AgentStatus } from './statuses.tsx';

export function AgentsPage() {
  const merchant = useMerchant();
  const pages = usePages({
    key: ['agents', 'list'],
    read: (cursor, signal) => merchantClient.agents.list(cursor, { signal }),
    next: (page) => page.next_cursor,
  });
  const create = (
    <Offered call="POST /v1/agents">
      <Link href="/agents/new" className="button" data-kind="main">
        {texts.create}
      </Link>
    </Offered>
  );
  const hasSome = (pages.query.data?.agents.length ?? 0) > 0;
  return (
    <Page title={texts.title} actions={hasSome ? create : null}>
      <p className="soft">{texts.lead}</p>
      {merchant.status === 'pending' ? (
        <PendingMerchant />
      ) : (
        <QueryView query={pages.query}>
          {({ agents }) =>
            agents.length === 0 ? (
              <EmptyState title={texts.empty.title} action={create}>
                {texts.empty.body}
              </EmptyState>
            ) : (
              <div className="stack">
                <AgentTable agents={agents} />
                <PageSteps pages={pages} />
              </div>
            )
          }
        </QueryView>
      )}
    </Page>
  );
}

function AgentTable({ agents }: { agents: readonly Agent[] }) {
  return (
    <Table label={texts.table} heads={Object.values(texts.heads)}>
      {agents.map((agent) => (
        <tr key={agent.agent_id}>
          <td>
            <Link href={`/agents/${agent.agent_id}`}>
              <ForeignText inline>{agent.name}</ForeignText>
            </Link>
          </td>
          <td>
            <AgentStatus status={agent.status} />
          </td>
          <td>
            <ForeignText inline>{agent.environment}</ForeignText>
          </td>
          <td className="nowrap">
            <Moment>{agent.created_at}</Moment>
          </td>
        </tr>
      ))}
    </Table>
  );
}
