import type { Agent, ApiKey } from '@payassent/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { access } from '../../texts/portal/access.ts';
import { ConfirmButton } from '../../ui/dialogs.tsx';
import { Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { merchantClient } from '../client.ts';
import { PageSteps, usePages } from '../parts/pages.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { Table } from '../parts/table.tsx';
import { Offered } from '../shell/offered.tsx';
import { AdminSession } from './admin-session.tsx';
import { NewKey } from './new-key.tsx';

const texts = access.keys;

export function AccessPage() {
  const agents = useQuery({
    queryKey: ['agents', 'for-keys'],
    queryFn: ({ signal }) => merchantClient.agents.list({ limit: 100 }, { signal }),
  });
  return (
    <Page title={access.title}>
      <section className="section" aria-labelledby="keys-title">
        <h2 id="keys-title">{texts.title}</h2>
        <p className="soft">{texts.lead}</p>
        <QueryView query={agents}>
          {(page) => (
            <>
              {page.agents.length === 0 ? <NoAgents /> : <NewKey agents={page.agents} />}
              <KeyList agents={page.agents} />
            </>
          )}
        </QueryView>
      </section>
      <AdminSession />
    </Page>
  );
}

function NoAgents() {
  const action = (
    <Offered call="POST /v1/agents">
      <Link className="button" href="/agents">
        {texts.noAgents.action}
      </Link>
    </Offered>
  );
  return (
    <EmptyState title={texts.noAgents.title} action={action}>
      {texts.noAgents.text}
    </EmptyState>
  );
}

function KeyList({ agents }: { agents: readonly Agent[] }) {
  const pages = usePages({
    key: ['api-keys'],
    read: (cursor, signal) => merchantClient.access.listApiKeys({ limit: 25, ...cursor }, { signal }),
    next: (page) => page.next_cursor,
  });
  return (
    <QueryView query={pages.query}>
      {(page) =>
        page.api_keys.length === 0 ? (
          agents.length === 0 ? null : (
            <EmptyState title={texts.empty.title}>{texts.empty.text}</EmptyState>
          )
        ) : (
          <div className="stack">
            <Table label={texts.table} heads={Object.values(texts.heads)}>
              {page.api_keys.map((key) => (
                <KeyRow key={key.api_key_id} apiKey={key} agents={agents} />
              ))}
            </Table>
            <PageSteps pages={pages} />
          </div>
        )
      }
    </QueryView>
  );
}

function KeyRow({ apiKey, agents }: { apiKey: ApiKey; agents: readonly Agent[] }) {
  const queries = useQueryClient();
  const agent = agents.find(({ agent_id }) => agent_id === apiKey.agent_id);
  const revoke = async () => {
    await merchantClient.access.revokeApiKey(apiKey.api_key_id);
    await queries.invalidateQueries({ queryKey: ['api-keys'] });
  };
  return (
    <tr>
      <td>
        <ForeignText inline>{apiKey.name}</ForeignText>
        <br />
        <code className="soft">{apiKey.api_key_id}</code>
      </td>
      <td>
        <ForeignText inline>{agent?.name ?? apiKey.agent_id}</ForeignText>
      </td>
      <td className="nowrap">
        <Moment>{apiKey.created_at}</Moment>
      </td>
      <td>
        <StatusBadge status={apiKey.status} />
      </td>
      <td>
        {apiKey.status === 'revoked' ? null : (
          <Offered call="DELETE /v1/api-keys/{}">
            <ConfirmButton
              label={texts.revoke.label}
              title={texts.revoke.title}
              confirmLabel={texts.revoke.confirm}
              run={revoke}
            >
              <ForeignText>{apiKey.name}</ForeignText>
              <span>{texts.revoke.text}</span>
            </ConfirmButton>
          </Offered>
        )}
      </td>
    </tr>
  );
}
