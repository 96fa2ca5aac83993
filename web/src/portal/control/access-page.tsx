import { type Agent, AgentPaymentsClient, type ApiKey } from '@payassent/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { access } from '../../texts/portal/access.ts';
import { Button, ShownOnce } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/dialogs.tsx';
import { ErrorNote, fieldError } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/facts.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { showHidden } from '../../ui/hidden-characters.ts';
import { EmptyState, Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { merchantClient } from '../client.ts';
import { PageSteps, StatusBadge, Table, usePages } from '../parts/lists.tsx';
import { Offered, offered } from '../shell/offered.tsx';

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
  const agent = agents.find(({ agent_id }) => agent_id === apiKey.agent_id);
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
              texts={texts.revoke}
              about={<ForeignText>{apiKey.name}</ForeignText>}
              run={() => merchantClient.access.revokeApiKey(apiKey.api_key_id)}
              refreshes={['api-keys']}
            />
          </Offered>
        )}
      </td>
    </tr>
  );
}

const newKeyTexts = access.keys;

/** Makes a key and shows it once: it lives in the state of this component and nowhere else. */
const NewKey = offered('POST /v1/api-keys', function NewKey({ agents }: { agents: readonly Agent[] }) {
  const [name, setName] = useState('');
  const [agentId, setAgentId] = useState(agents[0]?.agent_id ?? '');
  const creation = useMutation({
    mutationFn: () => merchantClient.access.createApiKey({ name, agent_id: agentId }),
    onSuccess: () => {
      setName('');
      return refresh('api-keys');
    },
    gcTime: 0,
  });
  if (creation.data !== undefined)
    return (
      <section className="card stack" aria-label={newKeyTexts.secretName}>
        <ShownOnce value={creation.data.api_key} name={newKeyTexts.secretName} />
        <p className="soft">{newKeyTexts.send}</p>
        <div>
          <Button onClick={() => creation.reset()}>{newKeyTexts.done}</Button>
        </div>
      </section>
    );
  const choices = agents.map((agent) => ({ value: agent.agent_id, label: showHidden(agent.name) }));
  return (
    <form
      className="card form"
      aria-label={newKeyTexts.create}
      onSubmit={(event) => {
        event.preventDefault();
        creation.mutate();
      }}
    >
      <h3>{newKeyTexts.create}</h3>
      <TextField
        label={newKeyTexts.name}
        hint={newKeyTexts.nameHint}
        required
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={fieldError(creation.error, 'name')}
      />
      <SelectField
        label={newKeyTexts.agent}
        hint={newKeyTexts.agentHint}
        choices={choices}
        value={agentId}
        onChange={(event) => setAgentId(event.currentTarget.value)}
        error={fieldError(creation.error, 'agent_id')}
      />
      {creation.error === null ? null : <ErrorNote error={creation.error} />}
      <div>
        <Button type="submit" kind="main" isBusy={creation.isPending}>
          {newKeyTexts.make}
        </Button>
      </div>
    </form>
  );
});

const adminSessionTexts = access.admin;

/** A token for an hour. The service lists none, so only the one just made can be ended by itself. */
const AdminSession = offered('POST /v1/admin-sessions', function AdminSession() {
  const creation = useMutation({ mutationFn: () => merchantClient.access.createAdminSession(), gcTime: 0 });
  const ending = useMutation({
    mutationFn: (sessionToken: string) =>
      new AgentPaymentsClient({
        baseUrl: location.origin,
        allowInsecureHttp: true,
        sessionToken,
      }).endSession(),
    onSuccess: () => creation.reset(),
  });
  const made = creation.data;
  const error = creation.error ?? ending.error;
  return (
    <section className="section" aria-labelledby="admin-title">
      <h2 id="admin-title">{adminSessionTexts.title}</h2>
      <p className="soft">{adminSessionTexts.lead}</p>
      {error === null ? null : <ErrorNote error={error} />}
      {made === undefined ? (
        <div className="row">
          <Button isBusy={creation.isPending} onClick={() => creation.mutate()}>
            {adminSessionTexts.make}
          </Button>
        </div>
      ) : (
        <div className="card stack">
          <ShownOnce value={made.session_token} name={adminSessionTexts.secretName} />
          <p className="soft">
            {adminSessionTexts.send} {adminSessionTexts.until} <Moment>{made.expires_at}</Moment>
          </p>
          <div>
            <Button kind="danger" isBusy={ending.isPending} onClick={() => ending.mutate(made.session_token)}>
              {adminSessionTexts.end}
            </Button>
          </div>
        </div>
      )}
      {ending.isSuccess && made === undefined ? <Note kind="good">{adminSessionTexts.ended}</Note> : null}
      <p className="soft">{adminSessionTexts.hidden}</p>
    </section>
  );
});
