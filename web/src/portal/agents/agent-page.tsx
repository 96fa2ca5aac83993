import type { Agent } from '@payassent/sdk';
import { Link } from 'wouter';
import { agentTexts } from '../../texts/portal/agents.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Facts, Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { showHidden } from '../../ui/hidden-characters.ts';
import { Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import type { PageParams } from '../pages.ts';
import { AgentActs } from './agent-acts.tsx';
import { AgentKeys } from './agent-keys.tsx';
import { ChangeAgent } from './change-agent.tsx';
import { ProofSwitch } from './proof-switch.tsx';
import { AgentStatus } from './statuses.tsx';
import { useAgent, useCredentials } from './use-agent.ts';

const texts = agentTexts.detail;

export function AgentPage({ params }: { params: PageParams }) {
  const query = useAgent(params['id'] ?? '');
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

/** One sentence: can it work, and if not, what is missing. */
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
