import type { EmailGrant, OpenSession } from '@payassent/sdk';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { signInTexts } from '../../texts/portal/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Page } from '../../ui/page.tsx';
import { merchantClient } from '../client.ts';
import { NameField } from '../parts/name-field.tsx';
import { Form } from '../shell/form.tsx';

const texts = signInTexts.found;

interface FoundProps {
  grant: EmailGrant;
  onOpened(opened: OpenSession): void;
  onRefused(error: unknown): void;
  onBack(): void;
}

/** Two calls that look like one; between them the organization exists already, and only signing in is left. */
export function FoundOrganization({ grant, onOpened, onRefused, onBack }: FoundProps) {
  const [name, setName] = useState('');
  const open = useMutation({
    mutationFn: (nextGrant: string) => merchantClient.sessions.open({ next_grant: nextGrant }),
    onSuccess: onOpened,
    onError: onRefused,
  });
  const create = useMutation({
    mutationFn: () =>
      merchantClient.sessions.createOrganization({ session_grant: grant.session_grant, name: name.trim() }),
    onSuccess: ({ next_grant }) => open.mutate(next_grant),
    onError: onRefused,
  });
  if (open.isError) return <Halfway error={open.error} onRetry={() => open.mutate(open.variables)} />;
  return (
    <Page title={texts.title}>
      <p>{texts.lead}</p>
      <Form
        error={create.error}
        fields={['name']}
        onSubmit={() => create.mutate()}
        actions={
          <>
            <Button type="submit" kind="main" isBusy={create.isPending || open.isPending}>
              {texts.action}
            </Button>
            {grant.merchants.length === 0 ? null : (
              <Button kind="plain" onClick={onBack}>
                {texts.back}
              </Button>
            )}
          </>
        }
      >
        <NameField
          label={texts.name}
          hint={texts.nameHint}
          refused={create.error}
          autoComplete="organization"
          value={name}
          onChange={setName}
        />
      </Form>
    </Page>
  );
}

function Halfway({ error, onRetry }: { error: unknown; onRetry(): void }) {
  return (
    <Page title={signInTexts.halfway.title}>
      <ErrorNote error={error} />
      <p>{signInTexts.halfway.lead}</p>
      <div>
        <Button kind="main" onClick={onRetry}>
          {signInTexts.halfway.action}
        </Button>
      </div>
    </Page>
  );
}
