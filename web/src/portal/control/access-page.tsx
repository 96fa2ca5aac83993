import {
  type AdminSession as AdminSessionRecord,
  type Agent,
  AgentPaymentsClient,
  type ApiKey,
} from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { access } from '../../texts/portal/access.ts';
import { ActionButton, ConfirmButton } from '../../ui/action-buttons.tsx';
import { Button, ShownOnce } from '../../ui/button.tsx';
import { Moment } from '../../ui/facts.tsx';
import { TextField } from '../../ui/fields.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Form } from '../../ui/form.tsx';
import { showHidden } from '../../ui/hidden-characters.ts';
import { EmptyState, Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { merchantClient } from '../client.ts';
import { PagedTable, Row, StatusBadge, usePages } from '../parts/lists.tsx';
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
  });
  return (
    <PagedTable
      pages={pages}
      texts={texts}
      rows={(page) => page.api_keys}
      empty={agents.length === 0 ? null : undefined}
    >
      {(key) => <KeyRow key={key.api_key_id} apiKey={key} agents={agents} />}
    </PagedTable>
  );
}

function KeyRow({ apiKey, agents }: { apiKey: ApiKey; agents: readonly Agent[] }) {
  const agent = agents.find(({ agent_id }) => agent_id === apiKey.agent_id);
  return (
    <Row>
      <td>
        <ForeignText inline>{apiKey.name}</ForeignText>
        <br />
        <code className="soft">{apiKey.api_key_id}</code>
      </td>
      <ForeignText inline>{agent?.name ?? apiKey.agent_id}</ForeignText>
      <Moment>{apiKey.created_at}</Moment>
      <StatusBadge status={apiKey.status} />
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
    </Row>
  );
}

/** Creates a key and shows it once: it is held only in the state of this component. */
const NewKey = offered('POST /v1/api-keys', function NewKey({ agents }: { agents: readonly Agent[] }) {
  const [name, setName] = useState('');
  const [agentId, setAgentId] = useState(agents[0]?.agent_id ?? '');
  const [made, setMade] = useState<string>();
  const make = async () => {
    setMade((await merchantClient.access.createApiKey({ name, agent_id: agentId })).api_key);
    setName('');
    await refresh('api-keys');
  };
  if (made !== undefined)
    return (
      <section className="card stack" aria-label={texts.secretName}>
        <ShownOnce value={made} name={texts.secretName} />
        <p className="soft">{texts.send}</p>
        <Button onClick={() => setMade(undefined)}>{texts.done}</Button>
      </section>
    );
  return (
    <Form className="card form" aria-label={texts.create} action={texts.make} run={make}>
      <h3>{texts.create}</h3>
      <TextField
        label={texts.name}
        hint={texts.nameHint}
        name="name"
        required
        maxLength={200}
        value={name}
        onValue={setName}
      />
      <SelectField
        label={texts.agent}
        hint={texts.agentHint}
        name="agent_id"
        choices={agents.map((agent) => ({ value: agent.agent_id, label: showHidden(agent.name) }))}
        value={agentId}
        onValue={setAgentId}
      />
    </Form>
  );
});

const adminTexts = access.admin;

/**
 * A token that is valid for an hour. The service does not list tokens, so only the one just created can be revoked
 * alone.
 */
const AdminSession = offered('POST /v1/admin-sessions', function AdminSession() {
  const [made, setMade] = useState<AdminSessionRecord>();
  const [isEnded, setEnded] = useState(false);
  const make = async () => setMade(await merchantClient.access.createAdminSession());
  const end = async () => {
    const session = {
      baseUrl: location.origin,
      allowInsecureHttp: true,
      sessionToken: made?.session_token ?? '',
    };
    await new AgentPaymentsClient(session).endSession();
    setMade(undefined);
    setEnded(true);
  };
  return (
    <section className="section" aria-labelledby="admin-title">
      <h2 id="admin-title">{adminTexts.title}</h2>
      <p className="soft">{adminTexts.lead}</p>
      {made === undefined ? (
        <ActionButton run={make}>{adminTexts.make}</ActionButton>
      ) : (
        <div className="card stack">
          <ShownOnce value={made.session_token} name={adminTexts.secretName} />
          <p className="soft">
            {adminTexts.send} {adminTexts.until} <Moment>{made.expires_at}</Moment>
          </p>
          <ActionButton kind="danger" run={end}>
            {adminTexts.end}
          </ActionButton>
        </div>
      )}
      {isEnded && made === undefined ? <Note kind="good">{adminTexts.ended}</Note> : null}
      <p className="soft">{adminTexts.hidden}</p>
    </section>
  );
});
