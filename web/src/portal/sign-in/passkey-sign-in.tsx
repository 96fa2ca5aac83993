import type { EmailGrant } from '@payassent/sdk';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { signInTexts } from '../../texts/portal/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Note } from '../../ui/notes.tsx';
import { askForPasskey, NoPasskeyError } from '../../ui/passkey.ts';
import { merchantClient } from '../client.ts';
import { enter } from '../session.ts';
import { announceChange } from '../session-changes.ts';
import { ChooseOrganization } from './choose-organization.tsx';

const texts = signInTexts.passkey;

/** The browser asks for a passkey of this service; whose it is, the passkey itself says. */
export function PasskeySignIn() {
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
          {texts.action}
        </Button>
      </div>
      {use.error === null ? null : use.error instanceof NoPasskeyError ? (
        <Note kind="warn">{texts.none}</Note>
      ) : (
        <ErrorNote error={use.error} />
      )}
    </section>
  );
}
