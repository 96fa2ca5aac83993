import { useQuery } from '@tanstack/react-query';
import { lock as texts } from '../../texts/wallet/lock.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/notes.tsx';
import { readAccepted } from '../automatic/accepted-policies.ts';
import { guardVault } from './guard.ts';
import { useIsShut, useLock } from './queries.ts';
import { isUsedUp } from './stored-lock.ts';

/** What was agreed to is paid by a key that waits for its PIN. */
export function UnlockNote() {
  const lock = useLock();
  const isShut = useIsShut();
  const accepted = useQuery({ queryKey: ['accepted-policies'], queryFn: readAccepted }).data ?? {};
  const isAnyOpen = Object.values(accepted).some(({ isPaused }) => !isPaused);
  if (!lock || !isShut || !isAnyOpen || isUsedUp(lock)) return null;
  return (
    <Note kind="warn">
      <strong>{texts.waits.title}</strong>
      <span>{texts.waits.text}</span>
      <div>
        <Button onClick={() => guardVault('unlock')}>{texts.waits.action}</Button>
      </div>
    </Note>
  );
}
