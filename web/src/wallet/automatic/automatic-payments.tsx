import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { lock as texts } from '../../texts/wallet/lock.ts';
import { Arrival } from '../../ui/arrivals.tsx';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/notes.tsx';
import { queries } from '../../ui/queries.ts';
import { useDecisionKey } from '../decisions/queries.ts';
import { guardVault } from '../lock/guard.ts';
import { useIsShut, useLock } from '../lock/queries.ts';
import { isUsedUp } from '../lock/stored-lock.ts';
import { type ApprovalTools, approvePayment } from '../payments/approval.ts';
import { historyQuery, waitingQuery } from '../payments/gateway.ts';
import { hasPinnedFacts, isTooMuch, type Payment } from '../payments/payment.ts';
import { useApprovalTools } from '../payments/use-approval.ts';
import { useWallet } from '../session/session.tsx';
import { stellarSigner } from '../stellar/key-store.ts';
import { mergeHistory, paidPayees } from '../storage/paid-payees.ts';
import { changeAccepted, covers, paysUnasked, readAccepted } from './accepted-policies.ts';

/** The payments that the open wallet makes automatically; renders only a note when it waits for a PIN. */
export function AutomaticPayments() {
  // At every start: a device from before there were decision keys gets its own now.
  useDecisionKey();
  useAutomaticPayments();
  return <UnlockNote />;
}

/** This device caches its own payments immediately, so only payments of other devices can be this new. */
const HISTORY_FRESH_MS = 5_000;

/**
 * While the wallet is open it makes the agent payments that were accepted on this device, with the key in this browser.
 * Anything else, and anything that fails once, waits for the customer. Under a PIN it begins with the first unlock.
 */
function useAutomaticPayments(): void {
  const tools = useApprovalTools();
  const client = useWallet();
  const waiting = useQuery(waitingQuery(client)).data;
  const held = useDecisionKey().data?.held;
  const tried = useRef(new Set<string>());
  // A passkey proves that the customer is present, so it is never requested without an act of theirs.
  const canDecide = held !== undefined && held.key.alg !== 'webauthn';
  const isShut = useIsShut();
  useEffect(() => {
    if (!canDecide || isShut || waiting === undefined) return;
    const fresh = waiting.filter(({ key, policyId }) => policyId !== undefined && !tried.current.has(key));
    if (fresh.length === 0) return;
    for (const { key } of fresh) tried.current.add(key);
    const history = async () =>
      mergeHistory(
        paidPayees.read(),
        await queries.fetchQuery({ ...historyQuery(client), staleTime: HISTORY_FRESH_MS }),
      );
    const payAll = async () => {
      let isAnyPaid = false;
      for (const payment of fresh) isAnyPaid = (await payOnce(tools, payment, history)) || isAnyPaid;
      if (!isAnyPaid) return;
      for (const name of ['accepted-policies', 'payments', 'journal', 'policies'])
        await queries.invalidateQueries({ queryKey: [name] });
    };
    void payAll();
  }, [waiting, canDecide, isShut, tools, client]);
}

/**
 * True when a payment was tried. The sum is counted before anything is signed, and given back only when nothing was.
 */
async function payOnce(
  tools: ApprovalTools,
  payment: Payment,
  history: () => Promise<readonly Payment[]>,
): Promise<boolean> {
  if (payment.policyId === undefined || !hasPinnedFacts(payment) || isTooMuch(payment)) return false;
  // No other signer works without a person.
  if ((await stellarSigner.canSign(payment)).can !== 'here') return false;
  const accepted = (await readAccepted())[payment.policyId];
  if (accepted === undefined || !covers(accepted, payment, new Date())) return false;
  // A payment that cannot be compared with earlier ones waits for the customer.
  const earlier = await history().catch(() => undefined);
  if (earlier === undefined) return false;
  let isCovered = false;
  await changeAccepted(payment.policyId, (policy) => {
    if (policy === undefined || !paysUnasked(policy, payment, earlier, new Date())) return policy;
    isCovered = true;
    return { ...policy, paid: { ...policy.paid, [payment.key]: payment.facts.amount } };
  });
  if (!isCovered) return false;
  try {
    await approvePayment(tools, payment, stellarSigner);
  } catch {
    if ((await tools.journal.read(payment)) === undefined)
      await changeAccepted(payment.policyId, (policy) => {
        if (policy === undefined) return undefined;
        const { [payment.key]: _given, ...paid } = policy.paid;
        return { ...policy, paid };
      });
  }
  return true;
}

/** Accepted agent payments wait until the PIN unlocks the key. */
function UnlockNote() {
  const lock = useLock();
  const isShut = useIsShut();
  const accepted = useQuery({ queryKey: ['accepted-policies'], queryFn: readAccepted }).data ?? {};
  const isAnyOpen = Object.values(accepted).some(({ isPaused }) => !isPaused);
  if (!lock || !isShut || !isAnyOpen || isUsedUp(lock)) return null;
  return (
    <Arrival>
      <Note kind="warn" texts={texts.waits}>
        <Button onClick={() => guardVault('unlock')}>{texts.waits.action}</Button>
      </Note>
    </Arrival>
  );
}
