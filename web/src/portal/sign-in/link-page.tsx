import { type EmailGrant, isApiError, type OpenSession } from '@payassent/sdk';
import { useEffect, useState } from 'react';
import { Redirect } from 'wouter';
import { signInTexts } from '../../texts/portal/sign-in.ts';
import { useAction } from '../../ui/action.tsx';
import { ActionButton } from '../../ui/action-buttons.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Form } from '../../ui/form.tsx';
import { Skeleton } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { merchantClient } from '../client.ts';
import { NameField } from '../parts/name-field.tsx';
import { resumeSession } from '../resume.ts';
import { useSession } from '../session.ts';
import { forgetLinkToken, linkToken, onNewLink } from './link-token.ts';
import {
  ChooseOrganization,
  RequestLinkPage,
  type RequestReason,
  refusing,
  useOpen,
} from './request-link-page.tsx';

/** The step of the visitor of a mailed link. The secrets are held only in this state: a reload deletes them. */
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
  const open = useOpen();
  useEffect(() => onNewLink(() => setStep(firstStep())), []);
  const confirm = async (token: string) => {
    const grant = await merchantClient.sessions.verifyEmail({ token }).catch(
      refusing((error) => {
        if (!isApiError(error, 'link_invalid')) return;
        forgetLinkToken();
        setStep({ name: 'start-again', reason: 'linkInvalid' });
      }),
    );
    forgetLinkToken();
    setStep(grant.merchants.length === 0 ? { name: 'found', grant } : { name: 'choose', grant });
  };
  /** A grant that is used or expired cannot be repaired here, only replaced. */
  const onRefused = (error: unknown) => {
    if (isApiError(error, 'grant_invalid')) setStep({ name: 'start-again', reason: 'grantInvalid' });
  };

  switch (step.name) {
    case 'no-link':
      return <WithoutLink />;
    case 'start-again':
      return <RequestLinkPage key={step.reason} reason={step.reason} />;
    case 'confirm':
      return <ConfirmLink key={step.token} onConfirm={() => confirm(step.token)} />;
    case 'choose':
      return (
        <ChooseOrganization
          grant={step.grant}
          onOpened={open}
          onRefused={onRefused}
          onFound={() => setStep({ name: 'found', grant: step.grant })}
        />
      );
    case 'found':
      return (
        <FoundOrganization
          grant={step.grant}
          onOpened={open}
          onRefused={onRefused}
          onBack={() => setStep({ name: 'choose', grant: step.grant })}
        />
      );
  }
}

/** After a reload, or by a bookmark: anyone who is signed in continues, others request a new link. */
function WithoutLink() {
  const session = useSession();
  useEffect(() => {
    void resumeSession();
  }, []);
  if (session.place === 'inside') return <Redirect href="/" replace />;
  if (session.place === 'unknown') return <Skeleton />;
  return <RequestLinkPage reason="interrupted" />;
}

const { confirm: confirmTexts, found: foundTexts, halfway: halfwayTexts } = signInTexts;

/** Mail scanners open links: only a person presses the button, and only that uses the link up. */
function ConfirmLink({ onConfirm }: { onConfirm(): Promise<void> }) {
  return (
    <Page title={confirmTexts.title}>
      <p>{confirmTexts.lead}</p>
      <p>{confirmTexts.hint}</p>
      <ActionButton kind="main" run={onConfirm}>
        {confirmTexts.action}
      </ActionButton>
      <p className="soft">{confirmTexts.notYou}</p>
    </Page>
  );
}

interface FoundProps {
  grant: EmailGrant;
  onOpened(opened: OpenSession): void;
  onRefused(error: unknown): void;
  onBack(): void;
}

/** Two calls that appear as one; after the first the organization exists, and only signing in is left. */
function FoundOrganization({ grant, onOpened, onRefused, onBack }: FoundProps) {
  const [name, setName] = useState('');
  const [nextGrant, setNextGrant] = useState<string>();
  const opening = useAction();
  const open = (next_grant: string) =>
    opening.run(async () => {
      onOpened(await merchantClient.sessions.open({ next_grant }).catch(refusing(onRefused)));
    });
  const create = async () => {
    const input = { session_grant: grant.session_grant, name: name.trim() };
    const { next_grant } = await merchantClient.sessions.createOrganization(input).catch(refusing(onRefused));
    setNextGrant(next_grant);
    await open(next_grant);
  };
  if (opening.error !== undefined && nextGrant !== undefined)
    return <Halfway error={opening.error} onRetry={() => open(nextGrant)} />;
  return (
    <Page title={foundTexts.title}>
      <p>{foundTexts.lead}</p>
      <Form
        action={foundTexts.action}
        run={create}
        extra={
          grant.merchants.length === 0 ? null : (
            <Button kind="plain" onClick={onBack}>
              {foundTexts.back}
            </Button>
          )
        }
      >
        <NameField
          label={foundTexts.name}
          hint={foundTexts.nameHint}
          autoComplete="organization"
          value={name}
          onValue={setName}
        />
      </Form>
    </Page>
  );
}

function Halfway({ error, onRetry }: { error: unknown; onRetry(): void }) {
  return (
    <Page title={halfwayTexts.title}>
      <ErrorNote error={error} />
      <p>{halfwayTexts.lead}</p>
      <Button kind="main" onClick={onRetry}>
        {halfwayTexts.action}
      </Button>
    </Page>
  );
}
