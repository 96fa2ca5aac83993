import { useDecisionKey } from '../decisions/queries.ts';
import { useAutomaticPayments } from './use-automatic-payments.ts';

/** What the wallet does by itself while it is open. Draws nothing. */
export function AutomaticPayments() {
  // At every start: a device from before there were decision keys gets its own now.
  useDecisionKey();
  useAutomaticPayments();
  return null;
}
