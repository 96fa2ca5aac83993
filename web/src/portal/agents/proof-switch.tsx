import type { Agent } from '@payassent/sdk';
import { agentTexts } from '../../texts/portal/agents.ts';
import { ConfirmButton } from '../../ui/dialogs.tsx';
import { merchantClient } from '../client.ts';
import { Offered } from '../shell/offered.tsx';
import { refreshAgents } from './use-agent.ts';

/** Whether the agent's connection tokens work without its key. */
export function ProofSwitch({ agent }: { agent: Agent }) {
  const { required, notRequired, require, release } = agentTexts.proofs;
  const texts = agent.require_proof ? release : require;
  const change = async () => {
    const { agent_id, version, require_proof } = agent;
    await merchantClient.agents.update(agent_id, { require_proof: !require_proof, version });
    await refreshAgents();
  };
  return (
    <span className="row">
      <span>{agent.require_proof ? required : notRequired}</span>
      {agent.status === 'revoked' ? null : (
        <Offered call="PATCH /v1/agents/{}">
          <ConfirmButton
            kind={agent.require_proof ? 'danger' : 'usual'}
            label={texts.action}
            title={texts.title}
            confirmLabel={texts.confirm}
            run={change}
          >
            <p>{texts.body}</p>
          </ConfirmButton>
        </Offered>
      )}
    </span>
  );
}
