import {
  type AddressOrigin,
  factsDigest,
  type Issue,
  intentDigest,
  type MemoSubject,
  type PaymentInitiator,
  type PaymentOrigin,
  requestMemo,
} from '@payassent/protocol';
import type { HitlDetails } from '@payassent/protocol/records';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError, notFound, refuseWhenInvalid } from '../../errors.ts';
import { expiryOrDefault, timeIssues } from '../../payments/index.ts';
import { type Destination, mismatchIssues, resolveDestination } from '../automation-policies/destination.ts';
import { type Judgement, judgePayment } from '../automation-policies/judge.ts';
import { governingPolicy, holdPolicy, namedPolicy } from '../automation-policies/open-policy.ts';
import { reserveAmount } from '../automation-policies/usage.ts';
import { type JudgedRow, limitsView } from '../automation-policies/view.ts';
import { waitingTopic } from '../callers/topics.ts';
import { holdConnection, type ProjectConnection, refuseIdle } from '../project-access/connection.ts';
import { type ProjectCaller, reachOf, withMerchant } from '../project-access/reach.ts';
import { queueWebhook } from '../webhooks/queue.ts';
import { FACT_FIELDS, foreignAddressIssues } from './checks.ts';
import { CREATED, HELD_BACK } from './counters.ts';
import type { PaymentInput } from './schema.ts';
import { insertPayment, selectByKey } from './sql.ts';
import { type PaymentRow, paymentView } from './view.ts';

/** A bare address has no payee proof, so wallets show its origin: the credential that decided typed it. */
const ENTERED_BY: Record<ProjectCaller['principal']['kind'], AddressOrigin> = {
  admin: 'operator',
  merchant: 'operator',
  api_key: 'agent',
  wallet: 'user',
};

const CREATED_WITH: Record<ProjectCaller['principal']['kind'], PaymentOrigin> = {
  admin: 'operator',
  merchant: 'operator',
  api_key: 'api_key',
  wallet: 'wallet',
};

export interface CreateResult {
  payment: PaymentRow;
  isReplay: boolean;
}

/**
 * Stores a payment and reserves its amount, or neither. The row is written before the policy is judged, because it
 * claims the key: a concurrent call with the same intent waits for it and replays, instead of being judged against an
 * amount that it has reserved itself.
 */
export async function createAgentPayment(
  tx: Tx,
  act: Act,
  caller: ProjectCaller,
  input: PaymentInput,
  key: string,
): Promise<CreateResult> {
  const connection = await holdConnection(tx, caller, input.connection_id, 'payment');
  const initiatedBy = initiatorOf(caller, input);
  const destination = await lookUpDestination(tx, act, caller, connection, input, key);
  const policy = await policyOf(tx, act, connection, destination, input, initiatedBy);
  const paymentId = act.newId('ap');
  const payment = await insertPayment(tx, {
    agent_payment_id: paymentId,
    merchant_id: connection.merchant_id,
    agent_id: connection.agent_id,
    connection_id: connection.connection_id,
    wallet_id: connection.wallet_id,
    idempotency_key: key,
    intent_digest: intentDigest(input),
    initiated_by: initiatedBy,
    policy_id: policy?.policy_id ?? null,
    ...pinnedFacts(destination, input.amount, {
      connection_id: connection.connection_id,
      agent_payment_id: paymentId,
    }),
    to_entered_by: destination.recipientId === null ? ENTERED_BY[caller.principal.kind] : null,
    created_with: CREATED_WITH[caller.principal.kind],
    metadata: input.metadata ?? null,
    created_at: act.now,
    expires_at: expiryOrDefault(input, act.now),
  });
  if (!payment) return { payment: await findReplay(tx, caller, connection, input, key), isReplay: true };
  await queueWebhook(tx, act, {
    merchantId: payment.merchant_id,
    type: 'agent_payment.created',
    data: { agent_payment: paymentView(payment) },
  });
  if (initiatedBy === 'agent') await reserve(tx, act, connection, policy, destination, input.amount);
  tx.afterCommit(() => {
    act.count(CREATED, { initiated_by: initiatedBy });
    act.announce(waitingTopic(connection.wallet_id));
  });
  return { payment, isReplay: false };
}

/** A human credential makes the payment a human's unless the caller specifies otherwise. */
function initiatorOf(caller: ProjectCaller, input: PaymentInput): PaymentInitiator {
  return input.initiated_by ?? (caller.principal.kind === 'api_key' ? 'agent' : 'human');
}

/** The payment with this key, when it has the same details. */
async function findReplay(
  tx: Tx,
  caller: ProjectCaller,
  { merchant_id: merchantId }: ProjectConnection,
  input: PaymentInput,
  key: string,
): Promise<PaymentRow> {
  const known = await selectByKey(tx, withMerchant(reachOf(caller), merchantId), input.connection_id, key);
  if (!known) throw new Error('The payment that has the key cannot be found.');
  refuseOtherIntent(known, input);
  return known;
}

export function refuseOtherIntent(known: PaymentRow, input: PaymentInput): void {
  if (known.intent_digest !== intentDigest(input)) throw new AppError('idempotency_key_reused');
}

/** Issues first, then the connection, then the problems of the payee: the published order. */
async function lookUpDestination(
  tx: Tx,
  act: Act,
  caller: ProjectCaller,
  connection: ProjectConnection,
  input: PaymentInput,
  key: string,
): Promise<Destination> {
  const looked = await resolveDestination(tx, connection.merchant_id, {
    ...input,
    fields: FACT_FIELDS,
  }).catch((error: unknown) => {
    if (error instanceof AppError) return error;
    throw error;
  });
  const found: readonly Issue[] =
    looked instanceof AppError
      ? (looked.issues ?? [])
      : [
          ...mismatchIssues(looked.facts, input, FACT_FIELDS),
          ...foreignAddressIssues(input.metadata, key, looked.facts),
        ];
  refuseWhenInvalid([...timeIssues(input, act.now), ...found]);
  // An agent's payment through a human's credential still needs the key of that very agent.
  const { companion, principal } = caller;
  const isOwn = principal.kind === 'api_key' || companion?.agentId === connection.agent_id;
  if (initiatorOf(caller, input) === 'agent' && !isOwn) throw notFound();
  refuseIdle(connection);
  if (looked instanceof AppError) throw looked;
  return looked;
}

/** Thresholds are for agents. A human's payment is approved by the wallet, and no policy applies. */
async function policyOf(
  tx: Tx,
  act: Act,
  connection: ProjectConnection,
  destination: Destination,
  input: PaymentInput,
  initiatedBy: PaymentInitiator,
): Promise<JudgedRow | undefined> {
  const named =
    input.policy_id === undefined ? undefined : await namedPolicy(tx, act, connection, input.policy_id);
  if (initiatedBy === 'human') return undefined;
  return named ?? governingPolicy(tx, act, connection, destination);
}

/**
 * Judges and reserves. The judgement reads the policy without a lock; the reservation compares again on the row itself.
 * When the two disagree another call was faster: then the policy is locked and judged as it is now.
 */
async function reserve(
  tx: Tx,
  act: Act,
  connection: ProjectConnection,
  seen: JudgedRow | undefined,
  destination: Destination,
  amount: string,
): Promise<void> {
  const allowed = judged(act, seen, destination, amount);
  if (await reserved(tx, act, allowed, amount)) return;
  const held = await holdPolicy(tx, act, connection, allowed.policy_id);
  if (await reserved(tx, act, judged(act, held, destination, amount), amount)) return;
  throw new AppError('unavailable', {
    message: 'The policy is being changed at the same time; send the same request again.',
  });
}

function judged(
  act: Act,
  policy: JudgedRow | undefined,
  destination: Destination,
  amount: string,
): JudgedRow {
  const judgement = judgePayment(policy, destination, amount, act.now);
  if (judgement.verdict === 'allow' && policy) return policy;
  for (const threshold of judgement.triggered) act.count(HELD_BACK, { threshold });
  throw new AppError('HC_NC_5_HITL_REQUIRED', { details: { ...hitlDetails(judgement, policy) } });
}

function reserved(tx: Tx, act: Act, policy: JudgedRow, amount: string): Promise<boolean> {
  const { policy_id: policyId, merchant_id: merchantId, version } = policy;
  return reserveAmount(tx, { policyId, merchantId, version }, amount, act.now);
}

/** What blocked the payment, what would pass, and how to continue. */
function hitlDetails(judgement: Judgement, policy: JudgedRow | undefined): HitlDetails {
  const speaks = judgement.remaining !== null && policy !== undefined;
  return {
    triggered_thresholds: judgement.triggered,
    policy_id: speaks ? policy.policy_id : null,
    limits: speaks ? limitsView(policy) : null,
    remaining: judgement.remaining,
    max_amount_allowed: judgement.maxAmountAllowed,
    resubmit: { initiated_by: 'human' },
  };
}

function pinnedFacts(destination: Destination, amount: string, subject: MemoSubject) {
  const { recipientId, recipientVersionId, recallGeneration, facts, hasOwnMemos, payee } = destination;
  const { address, ...fixed } = facts;
  const details = { ...fixed, amount, to: address, recipient_version_id: recipientVersionId };
  // The second surface pays on Stellar, where no other payment has the same memo.
  const memo = hasOwnMemos ? requestMemo(details, subject) : facts.memo;
  const rest = { ...fixed, memo };
  return {
    recipient_id: recipientId,
    recipient_version_id: recipientVersionId,
    recall_generation: recallGeneration,
    ...rest,
    amount,
    to_address: address,
    payee,
    facts_digest: factsDigest({ ...details, memo }),
  };
}
