import type { EmailGrant, OpenSession } from '@payassent/sdk';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { signInTexts } from '../../texts/portal/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote, fieldError } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/fields.tsx';
import { ForeignText, PartyName } from '../../ui/foreign-text.tsx';
import { Badge, Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { askForPasskey, hasPasskeys, NoPasskeyError } from '../../ui/passkey.ts';
import { merchantClient } from '../client.ts';
import { announceChange, enter } from '../session.ts';
import { Form } from '../shell/form.tsx';

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
  const { title, text } = signInTexts.notes[reason];
  const isExpected = reason === 'signed-out' || reason === 'signed-out-everywhere';
  return (
    <Note kind={isExpected ? 'good' : 'warn'}>
      <strong>{title}</strong>
      <span>{text}</span>
    </Note>
  );
}

const linkSentTexts = signInTexts.sent;

interface LinkSentProps {
  email: string;
  onAgain(): void;
  onResend(): void;
}

function LinkSent({ email, onAgain, onResend }: LinkSentProps) {
  return (
    <Page title={linkSentTexts.title}>
      <p>
        {linkSentTexts.text}{' '}
        <strong>
          <ForeignText inline>{email}</ForeignText>
        </strong>
      </p>
      <p className="soft">{linkSentTexts.hint}</p>
      <div className="row">
        <Button onClick={onResend}>{linkSentTexts.resend}</Button>
        <Button kind="plain" onClick={onAgain}>
          {linkSentTexts.again}
        </Button>
      </div>
    </Page>
  );
}

const passkeySignInTexts = signInTexts.passkey;

/** The browser asks for a passkey of this service; whose it is, the passkey itself says. */
function PasskeySignIn() {
  const [grant, setGrant] = useState<EmailGrant>();
  const [, navigate] = useLocation();
  const use = useMutation({
    mutationFn: async () => {
      const { options } = await merchantClient.sessions.passkeyOptions();
      return merchantClient.sessions.verifyPasskey({ credential: await askForPasskey(options) });
    },
    onSuccess: setGrant,
  });
  const onOpened = (opened: Parameters<typeof enter>[0]) => {
    enter(opened);
    announceChange();
    navigate('/', { replace: true });
  };
  const again = () => setGrant(undefined);
  if (grant !== undefined)
    return <ChooseOrganization grant={grant} onOpened={onOpened} onRefused={again} onFound={again} />;
  return (
    <section className="stack">
      <div>
        <Button isBusy={use.isPending} onClick={() => use.mutate()}>
          {passkeySignInTexts.action}
        </Button>
      </div>
      {use.error === null ? null : use.error instanceof NoPasskeyError ? (
        <Note kind="warn">{passkeySignInTexts.none}</Note>
      ) : (
        <ErrorNote error={use.error} />
      )}
    </section>
  );
}

const chooseOrganizationTexts = signInTexts.choose;

interface ChooseProps {
  grant: EmailGrant;
  onOpened(opened: OpenSession): void;
  onRefused(error: unknown): void;
  onFound(): void;
}

export function ChooseOrganization({ grant, onOpened, onRefused, onFound }: ChooseProps) {
  const open = useMutation({
    mutationFn: (choiceId: string) =>
      merchantClient.sessions.open({ session_grant: grant.session_grant, choice_id: choiceId }),
    onSuccess: onOpened,
    onError: onRefused,
  });
  return (
    <Page title={chooseOrganizationTexts.title}>
      <p>{chooseOrganizationTexts.lead}</p>
      <ul className="choices">
        {grant.merchants.map(({ choice_id, name, status }) => (
          <li key={choice_id}>
            <button
              type="button"
              className="choice"
              disabled={open.isPending}
              aria-busy={open.isPending && open.variables === choice_id}
              onClick={() => open.mutate(choice_id)}
            >
              <PartyName inline>{name}</PartyName>
              <Badge tone={status === 'active' ? 'good' : 'warn'}>{chooseOrganizationTexts[status]}</Badge>
            </button>
          </li>
        ))}
      </ul>
      {open.isError ? <ErrorNote error={open.error} /> : null}
      <div className="row">
        <Button kind="plain" onClick={onFound}>
          {chooseOrganizationTexts.another}
        </Button>
      </div>
    </Page>
  );
}
