import { Link } from 'wouter';
import { decisionKeys } from '../../texts/wallet/decision-keys.ts';
import { Note } from '../../ui/notes.tsx';
import { useDecisionKey } from '../decisions/queries.ts';

/** Another device has to endorse this one first, or a day has to pass. Rejecting needs no key. */
export function CannotApprove() {
  return (
    <Note kind="warn">
      <strong>{decisionKeys.waiting.short}</strong>
      <span>{decisionKeys.waiting.shortText}</span>
      <Link href="/security">{decisionKeys.waiting.link}</Link>
    </Note>
  );
}

/** At the top of the pages of a device that has joined and waits. */
export function WaitingDevice() {
  return useDecisionKey().data?.cannotApprove ? <CannotApprove /> : null;
}
