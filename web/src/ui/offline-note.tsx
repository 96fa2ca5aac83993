import { common } from '../texts/common.ts';
import { Arrival } from './arrivals.tsx';
import { Note, useOnline } from './notes.tsx';

export function OfflineNote() {
  if (useOnline()) return null;
  return (
    <Arrival>
      <Note kind="warn">{common.errors.offline}</Note>
    </Arrival>
  );
}
