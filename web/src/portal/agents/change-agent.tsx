import type { Agent, Scope } from '@payassent/sdk';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { agentTexts } from '../../texts/portal/agents.ts';
import { Button } from '../../ui/button.tsx';
import { fieldError } from '../../ui/error-note.tsx';
import { merchantClient } from '../client.ts';
import { NameField } from '../parts/name-field.tsx';
import { Form } from '../shell/form.tsx';
import { offered } from '../shell/offered.tsx';
import { ScopeFields } from './scope-fields.tsx';
import { refreshAgents } from './use-agent.ts';

const texts = agentTexts.change;

/** Another name, or other rights, which cut every connection to them at once. */
export const ChangeAgent = offered('PATCH /v1/agents/{}', function ChangeAgent({ agent }: { agent: Agent }) {
  const [name, setName] = useState(agent.name);
  const [scopes, setScopes] = useState<readonly Scope[]>(agent.allowed_scopes);
  const change = useMutation({
    mutationFn: () =>
      merchantClient.agents.update(agent.agent_id, {
        // One that was set under older rules may stay.
        ...(name.trim() === agent.name ? {} : { name: name.trim() }),
        allowed_scopes: scopes,
        version: agent.version,
      }),
    onSuccess: refreshAgents,
  });
  return (
    <details className="disclosure">
      <summary>{texts.open}</summary>
      <Form
        error={change.error}
        fields={['name', 'allowed_scopes']}
        onSubmit={() => change.mutate()}
        actions={
          <>
            <Button type="submit" kind="main" isBusy={change.isPending}>
              {texts.save}
            </Button>
            <span role="status">{change.isSuccess ? texts.saved : ''}</span>
          </>
        }
      >
        <NameField label={texts.name} refused={change.error} value={name} onChange={setName} />
        <ScopeFields
          scopes={scopes}
          onChange={setScopes}
          error={fieldError(change.error, 'allowed_scopes')}
        />
        <p className="soft">{texts.cut}</p>
      </Form>
    </details>
  );
});
