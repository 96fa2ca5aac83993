import { useMutation } from '@tanstack/react-query';
import { shellTexts } from '../../texts/portal/shell.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { merchantClient } from '../client.ts';
import { leave } from '../session.ts';
import { announceChange } from '../session-changes.ts';
import { leaveBy } from './leave-guard.tsx';

export function SignOutButton() {
  const signOut = useMutation({
    mutationFn: () => merchantClient.sessions.signOut(),
    onSuccess: () => {
      leave('signed-out');
      announceChange();
    },
  });
  return (
    <>
      <Button kind="plain" isBusy={signOut.isPending} onClick={() => leaveBy(() => signOut.mutate())}>
        {shellTexts.signOut}
      </Button>
      {signOut.isError ? <ErrorNote error={signOut.error} /> : null}
    </>
  );
}
