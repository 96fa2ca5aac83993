import { useDecisionKey } from '../decisions/queries.ts';
import { UnlockNote } from '../lock/unlock-note.tsx';
import { useAutomaticPayments } from './use-automatic-payments.ts';

/** What the wallet does by itself while it is open; drawn only when it waits for a PIN. */
export function AutomaticPayments() {
  // At every start: a device from before there were decision keys gets its own now.
  useDecisionKey();
  useAutomaticPayments();
  return <UnlockNote />;
}
