import { decisionKeys, review } from '../../texts/wallet.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Note } from '../../ui/notes.tsx';
import { NoPasskeyError } from '../../ui/passkey.ts';
import { CannotSignError } from '../signing/signer.ts';
import { FactsChangedError } from './approval.ts';

export function ApprovalError({ error }: { error: unknown }) {
  if (error instanceof FactsChangedError) return <Note kind="bad">{review.broken.changed}</Note>;
  if (error instanceof CannotSignError) return <Note kind="bad">{error.message}</Note>;
  if (error instanceof NoPasskeyError) return <Note kind="warn">{decisionKeys.usePasskey.refused}</Note>;
  return <ErrorNote error={error} />;
}
