import type { Agent } from '@payassent/sdk';
import { agentTexts } from '../../texts/portal/agents.ts';
import type { ButtonKind } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/dialogs.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { merchantClient } from '../client.ts';
import { offered } from '../shell/offered.tsx';
import { refreshAgents } from './use-agent.ts';

type ActName = keyof typeof agentTexts.acts;

const ACTS: Record<ActName, { from: readonly Agent['status'][]; to: Agent['status']; kind: ButtonKind }> = {
  activate: { from: ['pending'], to: 'active', kind: 'main' },
  resume: { from: ['suspended'], to: 'active', kind: 'main' },
  suspend: { from: ['active'], to: 'suspended', kind: 'usual' },
  revoke: { from: ['pending', 'active', 'suspended'], to: 'revoked', kind: 'danger' },
};

/** What may be done to an agent in its state, each with the question that belongs to it. */
export const AgentActs = offered('PATCH /v1/agents/{}', function AgentActs({ agent }: { agent: Agent }) {
  const possible = (Object.keys(ACTS) as ActName[]).filter((name) => ACTS[name].from.includes(agent.status));
  if (possible.length === 0) return null;
  const change = async (to: Agent['status']) => {
    await merchantClient.agents.update(agent.agent_id, { status: to, version: agent.version });
    await refreshAgents();
  };
  return (
    <div className="row">
      {possible.map((name) => {
        const { action, title, body, confirm } = agentTexts.acts[name];
        const { to, kind } = ACTS[name];
        return (
          <ConfirmButton
            key={name}
            label={action}
            title={title}
            confirmLabel={confirm}
            kind={kind}
            run={() => change(to)}
          >
            <p>
              <strong>
                <ForeignText inline>{agent.name}</ForeignText>
              </strong>
            </p>
            <p>{body}</p>
          </ConfirmButton>
        );
      })}
    </div>
  );
});
