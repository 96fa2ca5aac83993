import type { Agent, Credential } from '@payassent/sdk';
import { useState } from 'react';
import { keyTexts as texts } from '../../texts/portal/agents.ts';
import { ConfirmButton } from '../../ui/dialogs.tsx';
import { Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { merchantClient } from '../client.ts';
import { Table } from '../parts/table.tsx';
import { Offered, offered } from '../shell/offered.tsx';
import { Handover } from './handover.tsx';
import { KeyDownload } from './key-download.tsx';
import { type MadeKey, MakeKeyForm } from './make-key-form.tsx';
import { KeyStatus } from './statuses.tsx';
import { refreshAgents, useCredentials } from './use-agent.ts';

export function AgentKeys({ agent }: { agent: Agent }) {
  const credentials = useCredentials(agent.agent_id);
  const [made, setMade] = useState<MadeKey>();
  const usable = credentials.data?.credentials.find(({ status }) => status === 'active');
  return (
    <>
      <section className="section" aria-labelledby="keys">
        <h2 id="keys">{texts.title}</h2>
        <p className="soft">{texts.lead}</p>
        {made === undefined ? null : (
          <KeyDownload
            key={made.kid}
            made={made}
            onForget={() => setMade({ kid: made.kid, pem: undefined })}
          />
        )}
        <QueryView query={credentials}>
          {({ credentials: keys }) =>
            keys.length === 0 ? <p>{texts.empty}</p> : <KeyTable agent={agent} keys={keys} />
          }
        </QueryView>
        {/* A second key would take the place of the first, which exists nowhere else. */}
        {agent.status === 'revoked' || made?.pem !== undefined ? null : (
          <Offered call="POST /v1/agents/{}/credentials">
            <div className="card section">
              <h3>{texts.make.title}</h3>
              <MakeKeyForm agent={agent} onMade={setMade} />
            </div>
          </Offered>
        )}
      </section>
      {usable === undefined ? null : <Handover agent={agent} kid={made?.kid ?? usable.kid} />}
    </>
  );
}

function KeyTable({ agent, keys }: { agent: Agent; keys: readonly Credential[] }) {
  return (
    <Table label={texts.table} heads={Object.values(texts.heads)}>
      {keys.map((key) => (
        <tr key={key.credential_id}>
          <td>
            <ForeignText inline>{key.kid}</ForeignText>
          </td>
          <td>
            <KeyStatus status={key.status} />
          </td>
          <td className="nowrap">
            {key.expires_at === null ? texts.noEnd : <Moment>{key.expires_at}</Moment>}
          </td>
          <td className="nowrap">
            <Moment>{key.created_at}</Moment>
          </td>
          <td>
            {key.status === 'active' || key.status === 'pending_proof' ? (
              <RevokeKey agent={agent} credential={key} />
            ) : null}
          </td>
        </tr>
      ))}
    </Table>
  );
}

const RevokeKey = offered(
  'DELETE /v1/agents/{}/credentials/{}',
  function RevokeKey({ agent, credential }: { agent: Agent; credential: Credential }) {
    const { action, title, body, confirm } = texts.revoke;
    const revoke = async () => {
      await merchantClient.agents.credentials.revoke(agent.agent_id, credential.credential_id);
      await refreshAgents();
    };
    return (
      <ConfirmButton label={action} title={title} confirmLabel={confirm} run={revoke}>
        <p>
          <code>{credential.kid}</code>
        </p>
        <p>{body}</p>
      </ConfirmButton>
    );
  },
);
