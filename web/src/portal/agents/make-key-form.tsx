import { type Agent, generateAgentKey } from '@payassent/sdk';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { keyTexts } from '../../texts/portal/agents.ts';
import { Button } from '../../ui/button.tsx';
import { fieldError } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/fields.tsx';
import { merchantClient } from '../client.ts';
import { Form } from '../shell/form.tsx';
import { pemOf } from './pem.ts';
import { refreshAgents } from './use-agent.ts';

const texts = keyTexts.make;

/** A key that was made here. Its private half is kept in the state of the page only, until it is forgotten. */
export interface MadeKey {
  kid: string;
  pem: string | undefined;
}

export function MakeKeyForm({ agent, onMade }: { agent: Agent; onMade(made: MadeKey): void }) {
  const [kid, setKid] = useState(freshKid);
  const make = useMutation({
    // Neither the key nor its file goes through the cache of answers: this returns nothing.
    mutationFn: async (): Promise<void> => {
      const key = generateAgentKey();
      const name = kid.trim();
      await merchantClient.agents.credentials.add(agent.agent_id, { kid: name, key });
      onMade({ kid: name, pem: pemOf(key.seed) });
      setKid(freshKid());
    },
    onSuccess: refreshAgents,
  });
  return (
    <Form
      error={make.error}
      fields={['kid']}
      onSubmit={() => make.mutate()}
      actions={
        <Button type="submit" kind="main" isBusy={make.isPending}>
          {make.isPending ? texts.busy : texts.action}
        </Button>
      }
    >
      <p className="soft">{texts.lead}</p>
      <TextField
        label={texts.kid}
        hint={texts.kidHint}
        error={fieldError(make.error, 'kid')}
        maxLength={160}
        required
        spellCheck={false}
        value={kid}
        onChange={(event) => setKid(event.target.value)}
      />
    </Form>
  );
}

/** A name that sorts by time and is not taken: names of keys are used up forever. */
function freshKid(): string {
  return `key-${new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '').toLowerCase()}`;
}
