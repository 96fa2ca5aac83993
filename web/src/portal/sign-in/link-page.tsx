import { type EmailGrant, isApiError } from '@payassent/sdk';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Redirect, useLocation } from 'wouter';
import { Skeleton } from '../../ui/notes.tsx';
import { merchantClient } from '../client.ts';
import { resumeSession } from '../resume.ts';
import { enter, useSession } from '../session.ts';
import { announceChange } from '../session-changes.ts';
import { ChooseOrganization } from './choose-organization.tsx';
import { ConfirmLink } from './confirm-link.tsx';
import { FoundOrganization } from './found-organization.tsx';
import { forgetLinkToken, linkToken, onNewLink } from './link-token.ts';
import { RequestLinkPage, type RequestReason } from './request-link-page.tsx';

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
