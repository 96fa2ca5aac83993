import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { signInTexts } from '../../texts/portal/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { fieldError } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { hasPasskeys } from '../../ui/passkey.ts';
import { merchantClient } from '../client.ts';
import { Form } from '../shell/form.tsx';
import { LinkSent } from './link-sent.tsx';
import { PasskeySignIn } from './passkey-sign-in.tsx';

/** Why the way leads here once more. `new` needs no word. */
export type RequestReason = 'new' | keyof typeof signInTexts.notes;

const texts = signInTexts.request;

export function RequestLinkPage({ reason }: { reason: RequestReason }) {
  const [email, setEmail] = useState('');
  const request = useMutation({
    mutationFn: (address: string) => merchantClient.sessions.requestLink({ email: address }),
  });
  if (request.isSuccess) {
    const { variables } = request;
    return <LinkSent email={variables} onAgain={request.reset} onResend={() => request.mutate(variables)} />;
  }
  return (
    <Page title={texts.title}>
      {reason === 'new' ? null : <ReasonNote reason={reason} />}
      <p>{texts.lead}</p>
      <Form
        error={request.error}
        fields={['email']}
        onSubmit={() => request.mutate(email.trim())}
        actions={
          <Button type="submit" kind="main" isBusy={request.isPending}>
            {request.isPending ? texts.sending : texts.send}
          </Button>
        }
      >
        <TextField
          label={texts.email}
          hint={texts.emailHint}
          error={fieldError(request.error, 'email')}
          type="email"
          autoComplete="email"
          maxLength={254}
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
      </Form>
      {hasPasskeys() ? <PasskeySignIn /> : null}
    </Page>
  );
}

function ReasonNote({ reason }: { reason: keyof typeof signInTexts.notes }) {
  const { title, body } = signInTexts.notes[reason];
  const isExpected = reason === 'signed-out' || reason === 'signed-out-everywhere';
  return (
    <Note kind={isExpected ? 'good' : 'warn'}>
      <strong>{title}</strong>
      <span>{body}</span>
    </Note>
  );
}
