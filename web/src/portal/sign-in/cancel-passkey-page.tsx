import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { signInTexts } from '../../texts/portal/sign-in.ts';
import { ActionButton } from '../../ui/action-buttons.tsx';
import { Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { merchantClient } from '../client.ts';
import { forgetLinkToken, linkToken, onNewLink } from './link-token.ts';

const texts = signInTexts.cancelPasskey;

/** The page behind the link that every owner gets about a first passkey. Opening it changes nothing. */
export function CancelPasskeyPage() {
  const [token, setToken] = useState(() => linkToken('cancel-passkey'));
  const [isDone, setDone] = useState(false);
  useEffect(() => onNewLink(() => setToken(linkToken('cancel-passkey'))), []);
  const cancel = async (sent: string) => {
    await merchantClient.sessions.cancelPasskey({ token: sent });
    forgetLinkToken();
    setDone(true);
  };
  return (
    <Page title={texts.title}>
      {isDone ? (
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
          <ActionButton kind="danger" run={() => cancel(token)}>
            {texts.action}
          </ActionButton>
        </>
      )}
      <p>
        <Link href="/">{texts.toPortal}</Link>
      </p>
    </Page>
  );
}
