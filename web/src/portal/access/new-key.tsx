import type { Agent } from '@payassent/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { access } from '../../texts/portal/access.ts';
import { Button } from '../../ui/button.tsx';
import { ShownOnce } from '../../ui/copy-button.tsx';
import { ErrorNote, fieldError } from '../../ui/error-note.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { showHidden } from '../../ui/hidden-characters.ts';
import { merchantClient } from '../client.ts';
import { offered } from '../shell/offered.tsx';

const texts = access.keys;

/** Makes a key and shows it once: it lives in the state of this component and nowhere else. */
export const NewKey = offered('POST /v1/api-keys', function NewKey({ agents }: { agents: readonly Agent[] }) {
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [agentId, setAgentId] = useState(agents[0]?.agent_id ?? '');
  const creation = useMutation({
    mutationFn: () => merchantClient.access.createApiKey({ name, agent_id: agentId }),
    onSuccess: () => {
      setName('');
      return queries.invalidateQueries({ queryKey: ['api-keys'] });
    },
    gcTime: 0,
  });
  if (creation.data !== undefined)
    return (
      <section className="card stack" aria-label={texts.secretName}>
        <ShownOnce value={creation.data.api_key} name={texts.secretName} />
        <p className="soft">{texts.send}</p>
        <div>
          <Button onClick={() => creation.reset()}>{texts.done}</Button>
        </div>
      </section>
    );
  const choices = agents.map((agent) => ({ value: agent.agent_id, label: showHidden(agent.name) }));
  return (
    <form
      className="card form"
      aria-label={texts.create}
      onSubmit={(event) => {
        event.preventDefault();
        creation.mutate();
      }}
    >
      <h3>{texts.create}</h3>
      <TextField
        label={texts.name}
        hint={texts.nameHint}
        required
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={fieldError(creation.error, 'name')}
      />
      <SelectField
        label={texts.agent}
        hint={texts.agentHint}
        choices={choices}
        value={agentId}
        onChange={(event) => setAgentId(event.currentTarget.value)}
        error={fieldError(creation.error, 'agent_id')}
      />
      {creation.error === null ? null : <ErrorNote error={creation.error} />}
      <div>
        <Button type="submit" kind="main" isBusy={creation.isPending}>
          {texts.make}
        </Button>
      </div>
    </form>
  );
});
