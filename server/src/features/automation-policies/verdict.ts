import type { Destination } from './destination.ts';
import { type Judgement, judgeIntent } from './judge.ts';
import type { JudgedRow } from './view.ts';

/**
 * What a policy says about paying an amount to a destination. A policy for another asset, or for the same code of
 * another issuer, says nothing.
 */
export function judgePayment(
  policy: JudgedRow | undefined,
  destination: Destination,
  amount: string,
  now: Date,
): Judgement {
  const { facts, recipientId, recipientVersionId } = destination;
  const speaks =
    policy !== undefined && policy.asset === facts.asset && policy.issuer === (facts.issuer ?? '');
  const intent = { amount, to: facts.address, memo: facts.memo, recipientId, recipientVersionId };
  return judgeIntent(speaks ? policy : undefined, intent, now);
}
