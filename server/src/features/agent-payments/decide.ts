import type { AgentPaymentStatus, Network } from '@payassent/protocol';
import { allowedNext, canonicalTxHash, judgeReport, type ReportVerdict } from '@payassent/protocol';
import type { Decision } from '@payassent/protocol/records';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError, invalid, notFound } from '../../errors.ts';
import { toTimestamp } from '../../lib/clock.ts';
import { foreignReasonIssues, impossibleMove, reportRefusal } from '../../payments/index.ts';
import type { WalletPrincipal } from '../../principals.ts';
import {
  decisionIn,
  judgeDecision,
  needsKey,
  refuseOtherDecision,
  signatureRequired,
  unsignedDecision,
} from '../decisions/decide.ts';
import { holdKeys } from '../decisions/keys.ts';
import { type ProjectCaller, reachOf, refuseForeignKey } from '../project-access/reach.ts';
import { closeIntents } from './close.ts';
import { followMoves } from './moved.ts';
import type { StatusInput } from './schema.ts';
import { addTxHash, lockPayment, movePayment, watchPayment } from './sql.ts';
import { isEnded, type PaymentRow } from './view.ts';

/** Which payments are observed on chains, and whether a policy trusts the wallet or the chain. */
export interface ObservationRules {
  observed: readonly Network[];
  spend: 'reported' | 'observed';
}

/** A rejected decision must not roll back an expiry found on the way, so it is returned instead of thrown. */
export type DecidedPayment = { payment: PaymentRow; refusal?: undefined } | { refusal: AppError };

/** Records a wallet's report. Any report about a payment past its time is too late. */
export async function reportStatus(
  tx: Tx,
  act: Act,
  caller: ProjectCaller & { principal: WalletPrincipal },
  paymentId: string,
  input: StatusInput,
  { observed, spend }: ObservationRules,
): Promise<DecidedPayment> {
  const payment = await openPayment(tx, act, caller, paymentId);
  if (input.connection_id !== undefined && input.connection_id !== payment.connection_id) throw notFound();
  const misleading = foreignReasonIssues(input, { ...payment, to: payment.to_address });
  if (misleading.length > 0) return { refusal: invalid(misleading) };
  const { deviceId } = caller.principal;
  const { status, takeover } = input;
  const txHash = input.tx_hash === undefined ? undefined : canonicalTxHash(payment.network, input.tx_hash);
  const report = { status, tx_hash: txHash, device_id: deviceId, takeover };
  const verdict = judgeReport('agent_payment', { ...payment, is_overdue: false }, report);
  switch (verdict.kind) {
    case 'move': {
      const decision = await decisionOn(tx, act, payment, caller.principal, input);
      if (decision instanceof AppError) return { refusal: decision };
      const moved = await movePayment(
        tx,
        payment,
        {
          status: input.status,
          tx_hash: txHash,
          reason: input.reason_code,
          reason_text: input.reason,
          device_id: deviceId,
          decision,
        },
        'wallet',
        act.now,
      );
      await followMoves(
        tx,
        act,
        [
          {
            payment: moved,
            previous: payment.status,
            actor: 'wallet',
            isTakeover: verdict.is_takeover ?? false,
          },
        ],
        spend,
      );
      return { payment: await watchPayment(tx, moved, observed, act.now) };
    }
    case 'repeat':
      refuseOtherDecision(payment.decision, input.decision);
      if (!verdict.adds_tx_hash || txHash === undefined) return { payment };
      return {
        payment: await watchPayment(tx, await addTxHash(tx, payment, txHash, act.now), observed, act.now),
      };
    case 'refuse':
      return { refusal: refusalOf(verdict, payment, input.status) };
    case 'settle_first':
      throw new Error('The payment has been settled already.');
  }
}

/** Errors are returned, not thrown, so that an expiry found on the way is committed. */
async function decisionOn(
  tx: Tx,
  act: Act,
  payment: PaymentRow,
  { deviceId, walletId }: WalletPrincipal,
  input: StatusInput,
): Promise<Decision | undefined | AppError> {
  const kind = decisionIn(input.status);
  if (kind === undefined) return undefined;
  // Locked, so that no key is added or ended between this read and the commit.
  const keys = await holdKeys(tx, walletId);
  if (!input.decision)
    return keys.length > 0 && needsKey(kind, input.decision)
      ? signatureRequired()
      : unsignedDecision(kind, deviceId, act.now);
  const facts = {
    agent_payment_id: payment.agent_payment_id,
    connection_id: payment.connection_id,
    facts_digest: payment.facts_digest,
    context_digest: null,
    expires_at: toTimestamp(payment.expires_at),
  };
  const key = keys.find((row) => row.device_id === deviceId);
  try {
    return await judgeDecision(tx, facts, kind, deviceId, key, input.decision, act.now);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** Withdrawn by the agent or recalled by the merchant, before the wallet has decided. */
export async function cancelPayment(
  tx: Tx,
  act: Act,
  caller: ProjectCaller,
  paymentId: string,
): Promise<DecidedPayment> {
  const payment = await openPayment(tx, act, caller, paymentId);
  const mover = caller.principal.kind === 'api_key' ? 'agent' : 'merchant';
  const allowed = allowedNext('agent_payment', payment.status, mover);
  if (!allowed.includes('cancelled'))
    return { refusal: impossibleMove({ name: 'payment', status: payment.status }, 'cancelled', allowed) };
  const cancelled = await movePayment(tx, payment, { status: 'cancelled' }, mover, act.now);
  await followMoves(tx, act, [
    { payment: cancelled, previous: payment.status, actor: mover, isTakeover: false },
  ]);
  return { payment: cancelled };
}

/** The payment, locked; closed first when it has ended without a decision. */
async function openPayment(tx: Tx, act: Act, caller: ProjectCaller, paymentId: string): Promise<PaymentRow> {
  const payment = await lockPayment(tx, reachOf(caller), paymentId);
  if (!payment) throw notFound();
  refuseForeignKey(caller, payment.merchant_id);
  if (!isEnded(payment, act.now)) return payment;
  const [settled] = await closeIntents(tx, act, {
    kind: 'payments',
    merchantId: payment.merchant_id,
    paymentIds: [paymentId],
  });
  if (!settled) throw new Error('An ended payment that is held was not settled.');
  return settled;
}

function refusalOf(
  verdict: Extract<ReportVerdict<AgentPaymentStatus>, { kind: 'refuse' }>,
  { status }: PaymentRow,
  to: AgentPaymentStatus,
): AppError {
  if (verdict.code === 'payment_request_expired')
    return new AppError('payment_request_expired', {
      message: 'The payment ran out before the wallet decided. Do not pay it.',
    });
  return reportRefusal(verdict, { name: 'payment', status }, to);
}
