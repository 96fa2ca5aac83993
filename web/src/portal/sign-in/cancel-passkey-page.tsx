import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { signInTexts } from '../../texts/portal/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { merchantClient } from '../client.ts';
import { forgetLinkToken, linkToken, onNewLink } from './link-token.ts';

const texts = signInTexts.cancelPasskey;

/** The page behind the link that every owner gets about a first passkey. Opening it changes nothing. */
export function CancelPasskeyPage() {
  const [token, setToken] = useState(() => linkToken('cancel-passkey'));
  useEffect(() => onNewLink(() => setToken(linkToken('cancel-passkey'))), []);
  const cancel = useMutation({
    mutationFn: (sent: string) => merchantClient.sessions.cancelPasskey({ token: sent }),
    onSuccess: forgetLinkToken,
  });
  return (
    <Page title={texts.title}>
      {cancel.isSuccess ? (
        <Note kind="good">
          <strong>{texts.done}</strong>
          <span>{texts.doneNext}</span>
        </Note>
      ) : token === undefined ? (
        <Note kind="warn">{texts.noLink}</Note>
      ) : (
        <>
          <p>{texts.lead}</p>
          <p>{texts.hint}</p>
          {cancel.isError ? <ErrorNote error={cancel.error} /> : null}
          <div>
            <Button kind="danger" isBusy={cancel.isPending} onClick={() => cancel.mutate(token)}>
              {texts.action}
            </Button>
          </div>
        </>
      )}
      <p>
        <Link href="/">{texts.toPortal}</Link>
      </p>
    </Page>
  );
}
