import { SCOPES, type Scope } from '@payassent/sdk';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { agentTexts } from '../../texts/portal/agents.ts';
import { Button } from '../../ui/button.tsx';
import { fieldError } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Page } from '../../ui/page.tsx';
import { queries } from '../../ui/start.tsx';
import { merchantClient } from '../client.ts';
import { NameField } from '../parts/name-field.tsx';
import { useMerchant } from '../session.ts';
import { Form } from '../shell/form.tsx';
import { offeredPage } from '../shell/offered.tsx';
import { PendingMerchant } from '../shell/pending-merchant.tsx';
import { ScopeFields } from './scope-fields.tsx';

const texts = agentTexts.form;

export const NewAgentPage = offeredPage('POST /v1/agents', function NewAgentPage() {
  const merchant = useMerchant();
  return (
    <Page title={texts.title} actions={<Link href="/agents">{texts.back}</Link>}>
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
  const create = useMutation({
    mutationFn: () =>
      merchantClient.agents.create({
        name: name.trim(),
        runtime: runtime.trim(),
        environment: environment.trim(),
        allowed_scopes: scopes,
      }),
    onSuccess: ({ agent }) => {
      void queries.invalidateQueries({ queryKey: ['agents', 'list'] });
      navigate(`/agents/${agent.agent_id}`);
    },
  });
  return (
    <div className="card">
      <Form
        error={create.error}
        fields={['name', 'runtime', 'environment', 'allowed_scopes']}
        onSubmit={() => create.mutate()}
        actions={
          <Button type="submit" kind="main" isBusy={create.isPending}>
            {texts.action}
          </Button>
        }
      >
        <NameField
          label={texts.name}
          hint={texts.nameHint}
          refused={create.error}
          value={name}
          onChange={setName}
        />
        <TextField
          label={texts.runtime}
          hint={texts.runtimeHint}
          error={fieldError(create.error, 'runtime')}
          maxLength={64}
          required
          value={runtime}
          onChange={(event) => setRuntime(event.target.value)}
        />
        <TextField
          label={texts.environment}
          hint={texts.environmentHint}
          error={fieldError(create.error, 'environment')}
          maxLength={64}
          required
          value={environment}
          onChange={(event) => setEnvironment(event.target.value)}
        />
        <ScopeFields
          scopes={scopes}
          onChange={setScopes}
          error={fieldError(create.error, 'allowed_scopes')}
        />
      </Form>
    </div>
  );
}
