import { SCOPES, type Scope } from '@payassent/sdk';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { agentTexts as texts } from '../../texts/portal/agents.ts';
import { Moment } from '../../ui/facts.tsx';
import { TextField } from '../../ui/fields.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Form } from '../../ui/form.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import { merchantClient } from '../client.ts';
import { PagedTable, Row, RowLink, usePages } from '../parts/lists.tsx';
import { NameField } from '../parts/name-field.tsx';
import { useMerchant } from '../session.ts';
import { Offered, offeredPage, PendingMerchant } from '../shell/offered.tsx';
import { AgentStatus, ScopeFields } from './agent.tsx';

export function AgentsPage() {
  const merchant = useMerchant();
  const pages = usePages({
    key: ['agents', 'list'],
    read: (cursor, signal) => merchantClient.agents.list(cursor, { signal }),
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
        <PagedTable
          pages={pages}
          texts={texts}
          rows={({ agents }) => agents}
          empty={
            <EmptyState title={texts.empty.title} action={create}>
              {texts.empty.text}
            </EmptyState>
          }
        >
          {(agent) => (
            <Row key={agent.agent_id}>
              <RowLink href={`/agents/${agent.agent_id}`}>
                <ForeignText inline>{agent.name}</ForeignText>
              </RowLink>
              <AgentStatus status={agent.status} />
              <ForeignText inline>{agent.environment}</ForeignText>
              <Moment>{agent.created_at}</Moment>
            </Row>
          )}
        </PagedTable>
      )}
    </Page>
  );
}

const formTexts = texts.form;

export const NewAgentPage = offeredPage('POST /v1/agents', function NewAgentPage() {
  const merchant = useMerchant();
  return (
    <Page title={formTexts.title} actions={<Link href="/agents">{formTexts.back}</Link>}>
      {merchant.status === 'pending' ? <PendingMerchant /> : <NewAgentForm />}
    </Page>
  );
});

function NewAgentForm() {
  const [name, setName] = useState('');
  const [runtime, setRuntime] = useState('node');
  const [environment, setEnvironment] = useState('test');
  const [scopes, setScopes] = useState<readonly Scope[]>(SCOPES);
  const [, navigate] = useLocation();
  const create = async () => {
    const { agent } = await merchantClient.agents.create({
      name: name.trim(),
      runtime: runtime.trim(),
      environment: environment.trim(),
      allowed_scopes: scopes,
    });
    void refresh('agents');
    navigate(`/agents/${agent.agent_id}`);
  };
  const short = { maxLength: 64, required: true };
  return (
    <div className="card">
      <Form action={formTexts.action} run={create}>
        <NameField label={formTexts.name} hint={formTexts.nameHint} value={name} onValue={setName} />
        <TextField
          {...short}
          label={formTexts.runtime}
          hint={formTexts.runtimeHint}
          name="runtime"
          value={runtime}
          onValue={setRuntime}
        />
        <TextField
          {...short}
          label={formTexts.environment}
          hint={formTexts.environmentHint}
          name="environment"
          value={environment}
          onValue={setEnvironment}
        />
        <ScopeFields scopes={scopes} onChange={setScopes} />
      </Form>
    </div>
  );
}
