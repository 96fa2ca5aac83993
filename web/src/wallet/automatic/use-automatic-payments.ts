import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useDecisionKey } from '../decisions/queries.ts';
import { useIsShut } from '../lock/queries.ts';
import { type ApprovalTools, approvePayment } from '../payments/approval.ts';
import { hasPinnedFacts, isTooMuch, type Payment } from '../payments/payment.ts';
import { historyQuery, waitingQuery } from '../payments/queries.ts';
import { useApprovalTools } from '../payments/use-approval.ts';
import { useWallet } from '../session/session.tsx';
import { stellarSigner } from '../stellar/key-store.ts';
import { mergeHistory, paidPayees } from '../storage/paid-payees.ts';
import { changeAccepted, readAccepted } from './accepted-policies.ts';
import { covers } from './covers.ts';
import { paysUnasked } from './pays-unasked.ts';

/** What this device pays itself is remembered immediately, so only payments of other devices can be this new. */
const HISTORY_FRESH_MS = 5_000;

/**
 * While the wallet is open it pays by itself what was agreed to on this device, with the key in this browser. Anything
 * else, and anything that fails once, waits for the person. Under a PIN it begins with the first unlock.
 */
export function useAutomaticPayments(): void {
  const cache = useQueryClient();
  const tools = useApprovalTools();
  const client = useWallet();
  const waiting = useQuery(waitingQuery(client)).data;
  const held = useDecisionKey().data?.held;
  const tried = useRef(new Set<string>());
  // A passkey is somebody's presence: it is never asked for without a person who began it.
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
        await cache.fetchQuery({ ...historyQuery(client), staleTime: HISTORY_FRESH_MS }),
      );
    const payAll = async () => {
      let isAnyPaid = false;
      for (const payment of fresh) isAnyPaid = (await payOnce(tools, payment, history)) || isAnyPaid;
      if (!isAnyPaid) return;
      for (const name of ['accepted-policies', 'payments', 'journal', 'policies'])
        await cache.invalidateQueries({ queryKey: [name] });
    };
    void payAll();
  }, [waiting, canDecide, isShut, tools, cache, client]);
}

/** True when something was tried. The sum is counted before anything is signed, and given back only when nothing was. */
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
  // What cannot be compared with earlier payments waits for the person.
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
