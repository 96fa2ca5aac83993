import type { Sql } from '../../db/open.ts';
import type { Destination } from './destination.ts';
import { type Judgement, judgeIntent } from './judge.ts';
import { activePayees } from './thresholds.ts';
import type { PolicyRow } from './view.ts';

/**
 * What a policy says about paying an amount to a destination. A policy for another asset, or for the same code of
 * another issuer, says nothing.
 */
export async function judgePayment(
  sql: Sql,
  policy: PolicyRow | undefined,
  destination: Destination,
  amount: string,
  now: Date,
): Promise<Judgement> {
  const { facts, recipientId, recipientVersionId } = destination;
  const speaks =
    policy !== undefined && policy.asset === facts.asset && policy.issuer === (facts.issuer ?? '');
  const payees = await activePayees(sql, policy?.merchant_id ?? '', speaks ? policy.allowlist : null);
  const intent = { amount, to: facts.address, recipientId, recipientVersionId };
  return judgeIntent(speaks ? policy : undefined, intent, payees, now);
}
