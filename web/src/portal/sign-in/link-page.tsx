import { type EmailGrant, isApiError, type OpenSession } from '@payassent/sdk';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Redirect, useLocation } from 'wouter';
import { signInTexts } from '../../texts/portal/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Skeleton } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { merchantClient } from '../client.ts';
import { NameField } from '../parts/name-field.tsx';
import { resumeSession } from '../resume.ts';
import { announceChange, enter, useSession } from '../session.ts';
import { Form } from '../shell/form.tsx';
import { forgetLinkToken, linkToken, onNewLink } from './link-token.ts';
import { ChooseOrganization, RequestLinkPage, type RequestReason } from './request-link-page.tsx';

/** Where the visitor of a mailed link stands. The secrets live in this state only: a reload forgets them. */
type Step =
  | { name: 'no-link' }
  | { name: 'confirm'; token: string }
  | { name: 'choose'; grant: EmailGrant }
  | { name: 'found'; grant: EmailGrant }
  | { name: 'start-again'; reason: RequestReason };

function firstStep(): Step {
  const token = linkToken('verify');
  return token === undefined ? { name: 'no-link' } : { name: 'confirm', token };
}

/** The page behind the mailed link: confirm, choose or create, and signed in. Opening it uses nothing up. */
export function LinkPage() {
  const [step, setStep] = useState(firstStep);
  const [, navigate] = useLocation();
  useEffect(() => onNewLink(() => setStep(firstStep())), []);

  const confirm = useMutation({
    mutationFn: (token: string) => merchantClient.sessions.verifyEmail({ token }),
    onSuccess: (grant) => {
      forgetLinkToken();
      setStep(grant.merchants.length === 0 ? { name: 'found', grant } : { name: 'choose', grant });
    },
    onError: (error) => {
      if (!isApiError(error, 'link_invalid')) return;
      forgetLinkToken();
      setStep({ name: 'start-again', reason: 'linkInvalid' });
    },
  });
  const onOpened = (opened: Parameters<typeof enter>[0]) => {
    enter(opened);
    announceChange();
    navigate('/', { replace: true });
  };
  /** A grant that is spent or over cannot be fixed here, only replaced. */
  const onRefused = (error: unknown) => {
    if (isApiError(error, 'grant_invalid')) setStep({ name: 'start-again', reason: 'grantInvalid' });
  };

  switch (step.name) {
    case 'no-link':
      return <WithoutLink />;
    case 'start-again':
      return <RequestLinkPage key={step.reason} reason={step.reason} />;
    case 'confirm':
      return <ConfirmLink confirm={confirm} onConfirm={() => confirm.mutate(step.token)} />;
    case 'choose':
      return (
        <ChooseOrganization
          grant={step.grant}
          onOpened={onOpened}
          onRefused={onRefused}
          onFound={() => setStep({ name: 'found', grant: step.grant })}
        />
      );
    case 'found':
      return (
        <FoundOrganization
          grant={step.grant}
          onOpened={onOpened}
          onRefused={onRefused}
          onBack={() => setStep({ name: 'choose', grant: step.grant })}
        />
      );
  }
}

/** After a reload, or by a bookmark: anyone who is signed in goes on, others ask for a new link. */
function WithoutLink() {
  const session = useSession();
  useEffect(() => {
    void resumeSession();
  }, []);
  if (session.place === 'inside') return <Redirect href="/" replace />;
  if (session.place === 'unknown') return <Skeleton />;
  return <RequestLinkPage reason="interrupted" />;
}

const texts = signInTexts.confirm;

interface ConfirmLinkProps {
  confirm: { isPending: boolean; isError: boolean; error: unknown };
  onConfirm(): void;
}

/** Mail scanners open links: only a person presses the button, and only that uses the link up. */
function ConfirmLink({ confirm, onConfirm }: ConfirmLinkProps) {
  return (
    <Page title={texts.title}>
      <p>{texts.lead}</p>
      <p>{texts.hint}</p>
      {confirm.isError ? <ErrorNote error={confirm.error} /> : null}
      <div>
        <Button kind="main" isBusy={confirm.isPending} onClick={onConfirm}>
          {texts.action}
        </Button>
      </div>
      <p className="soft">{texts.notYou}</p>
    </Page>
  );
}

const foundOrganizationTexts = signInTexts.found;

interface FoundProps {
  grant: EmailGrant;
  onOpened(opened: OpenSession): void;
  onRefused(error: unknown): void;
  onBack(): void;
}

/** Two calls that look like one; between them the organization exists already, and only signing in is left. */
function FoundOrganization({ grant, onOpened, onRefused, onBack }: FoundProps) {
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
    <Page title={foundOrganizationTexts.title}>
      <p>{foundOrganizationTexts.lead}</p>
      <Form
        error={create.error}
        fields={['name']}
        onSubmit={() => create.mutate()}
        actions={
          <>
            <Button type="submit" kind="main" isBusy={create.isPending || open.isPending}>
              {foundOrganizationTexts.action}
            </Button>
            {grant.merchants.length === 0 ? null : (
              <Button kind="plain" onClick={onBack}>
                {foundOrganizationTexts.back}
              </Button>
            )}
          </>
        }
      >
        <NameField
          label={foundOrganizationTexts.name}
          hint={foundOrganizationTexts.nameHint}
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
