import type { Agent, Scope } from '@payassent/sdk';
import { useState } from 'react';
import { Link } from 'wouter';
import { agentTexts } from '../../texts/portal/agents.ts';
import { ConfirmButton } from '../../ui/action-buttons.tsx';
import { type ButtonKind, CopyButton } from '../../ui/button.tsx';
import { Facts, Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Form } from '../../ui/form.tsx';
import { showHidden } from '../../ui/hidden-characters.ts';
import { Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { merchantClient } from '../client.ts';
import { NameField } from '../parts/name-field.tsx';
import { Offered, offered } from '../shell/offered.tsx';
import { AgentStatus, ScopeFields, useAgent, useCredentials } from './agent.tsx';
import { AgentKeys } from './agent-keys.tsx';
import { LastCalls } from './last-calls.tsx';

const texts = agentTexts.detail;

export function AgentPage({ id }: { id: string }) {
  const query = useAgent(id);
  const name = query.data?.agent.name;
  return (
    <Page
      title={name === undefined ? agentTexts.title : showHidden(name)}
      actions={<Link href="/agents">{texts.back}</Link>}
    >
      <QueryView query={query}>
        {({ agent }) => (
          <>
            <Readiness agent={agent} />
            <AgentFacts agent={agent} />
            <AgentKeys agent={agent} />
            <LastCalls agentId={agent.agent_id} />
          </>
        )}
      </QueryView>
    </Page>
  );
}

function AgentFacts({ agent }: { agent: Agent }) {
  return (
    <section className="card stack">
      <Facts
        facts={[
          [texts.status, <AgentStatus key="status" status={agent.status} />],
          [
            texts.id,
            <span key="id" className="row">
              <code>{agent.agent_id}</code>
              <CopyButton value={agent.agent_id} name={texts.id} />
            </span>,
          ],
          [texts.runtime, <ForeignText key="runtime">{agent.runtime}</ForeignText>],
          [texts.environment, <ForeignText key="environment">{agent.environment}</ForeignText>],
          [
            texts.scopes,
            <ul key="scopes" className="plain-list">
              {agent.allowed_scopes.map((scope) => (
                <li key={scope}>{agentTexts.scopes[scope].title}</li>
              ))}
            </ul>,
          ],
          [texts.proofs, <ProofSwitch key="proofs" agent={agent} />],
          [texts.registered, <Moment key="registered">{agent.created_at}</Moment>],
        ]}
      />
      <AgentActs agent={agent} />
      {agent.status === 'revoked' ? null : <ChangeAgent agent={agent} />}
    </section>
  );
}

/** Whether the agent can work, and what is missing if not. */
function Readiness({ agent }: { agent: Agent }) {
  const keys = useCredentials(agent.agent_id);
  if (keys.data === undefined) return null;
  const hasKey = keys.data.credentials.some(({ status }) => status === 'active');
  const state = readinessOf(agent, hasKey);
  return (
    <Note kind={state === 'ready' ? 'good' : 'warn'}>
      <span role="status">{agentTexts.readiness[state]}</span>
    </Note>
  );
}

function readinessOf(agent: Agent, hasKey: boolean): keyof typeof agentTexts.readiness {
  if (agent.status === 'revoked' || agent.status === 'suspended') return agent.status;
  if (agent.status === 'pending') return hasKey ? 'needsActivation' : 'needsBoth';
  return hasKey ? 'ready' : 'needsKey';
}

type ActName = keyof typeof agentTexts.acts;

const ACTS: Record<ActName, { from: readonly Agent['status'][]; to: Agent['status']; kind: ButtonKind }> = {
  activate: { from: ['pending'], to: 'active', kind: 'main' },
  resume: { from: ['suspended'], to: 'active', kind: 'main' },
  suspend: { from: ['active'], to: 'suspended', kind: 'usual' },
  revoke: { from: ['pending', 'active', 'suspended'], to: 'revoked', kind: 'danger' },
};

/** The changes that the agent's state allows, each with its confirmation. */
const AgentActs = offered('PATCH /v1/agents/{}', function AgentActs({ agent }: { agent: Agent }) {
  const possible = (Object.keys(ACTS) as ActName[]).filter((name) => ACTS[name].from.includes(agent.status));
  if (possible.length === 0) return null;
  const change = async (to: Agent['status']) => {
    await merchantClient.agents.update(agent.agent_id, { status: to, version: agent.version });
    await refresh('agents');
  };
  return (
    <div className="row">
      {possible.map((name) => {
        const { to, kind } = ACTS[name];
        return (
          <ConfirmButton
            texts={agentTexts.acts[name]}
            about={
              <p>
                <strong>
                  <ForeignText inline>{agent.name}</ForeignText>
                </strong>
              </p>
            }
            key={name}
            kind={kind}
            run={() => change(to)}
          />
        );
      })}
    </div>
  );
});

const changeTexts = agentTexts.change;

/** Changes the name or the scopes. A removed scope ends immediately in every connection of the agent. */
const ChangeAgent = offered('PATCH /v1/agents/{}', function ChangeAgent({ agent }: { agent: Agent }) {
  const [name, setName] = useState(agent.name);
  const [scopes, setScopes] = useState<readonly Scope[]>(agent.allowed_scopes);
  const change = async () => {
    await merchantClient.agents.update(agent.agent_id, {
      // A name from before stricter rules may stay as long as it is unchanged.
      ...(name.trim() === agent.name ? {} : { name: name.trim() }),
      allowed_scopes: scopes,
      version: agent.version,
    });
    await refresh('agents');
  };
  return (
    <details className="disclosure">
      <summary>{changeTexts.open}</summary>
      <Form action={changeTexts.save} done={changeTexts.saved} run={change}>
        <NameField label={changeTexts.name} value={name} onValue={setName} />
        <ScopeFields scopes={scopes} onChange={setScopes} />
        <p className="soft">{changeTexts.cut}</p>
      </Form>
    </details>
  );
});

/** Whether the agent's connection tokens work without its key. */
function ProofSwitch({ agent }: { agent: Agent }) {
  const { required, notRequired, require, release } = agentTexts.proofs;
  const texts = agent.require_proof ? release : require;
  const change = async () => {
    const { agent_id, version, require_proof } = agent;
    await merchantClient.agents.update(agent_id, { require_proof: !require_proof, version });
    await refresh('agents');
  };
  return (
    <span className="row">
      <span>{agent.require_proof ? required : notRequired}</span>
      {agent.status === 'revoked' ? null : (
        <Offered call="PATCH /v1/agents/{}">
          <ConfirmButton texts={texts} kind={agent.require_proof ? 'danger' : 'usual'} run={change} />
        </Offered>
      )}
    </span>
  );
}
