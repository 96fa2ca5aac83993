import { compareDecimals, maxAmount } from '@payassent/protocol';
import type { PaymentRequestInput } from '../aliases.ts';
import type { ConnectionClient } from '../connection/client.ts';
import type { Payee, PaymentRequest } from '../contract.ts';
import type { CallOptions } from '../core/call.ts';
import { type ApiError, isApiError } from '../errors/index.ts';
import { type FoundPayee, findPayee, payeeList, payeeSummary } from './find-payee.ts';
import { failure, paymentResult, quoted, quotedName, result, type ToolResult, withNames } from './outcome.ts';
import { NEXT_STEPS, OUTCOMES } from './texts.ts';

/** Arguments of `request_payment`, after the check of their form. */
export interface PaymentArguments {
  payee?: string;
  recipient_id?: string;
  amount: string;
  asset?: string;
  purpose: string;
  items?: readonly { name: string; quantity?: number; amount?: string }[];
  intent_id: string;
  valid_minutes?: number;
  second_payment_of?: string;
}

/** Creates one request for each `intent_id`, however a model words the other arguments the next time. */
export async function requestPayment(
  connection: ConnectionClient,
  args: PaymentArguments,
  now: () => number,
  options: CallOptions,
): Promise<ToolResult> {
  if ((args.payee === undefined) === (args.recipient_id === undefined))
    return failure(
      'validation_failed',
      'Exactly one of payee and recipient_id is needed.',
      'Send payee, or recipient_id from list_payees.',
    );
  let found: FoundPayee;
  try {
    found = await payeeOf(connection, args, options);
  } catch (error) {
    // A repeat needs no payee: the request exists, whatever has happened to the payee since.
    const known = isApiError(error) ? await earlierOf(connection, args.intent_id, options) : undefined;
    if (!known) throw error;
    return known.repeat(args, now());
  }
  if ('candidates' in found) {
    const known = await earlierOf(connection, args.intent_id, options);
    return known ? known.repeat(args, now()) : choosePayee(args.payee ?? '', found.candidates);
  }
  const tooMuch = refuseTooMuch(found.payee, args.amount);
  if (tooMuch) {
    const known = await earlierOf(connection, args.intent_id, options);
    return known ? known.repeat(args, now(), found.payee.recipient_id) : tooMuch;
  }
  try {
    const { payment_request: request, replayed } = await connection.paymentRequests.create(
      bodyOf(args, found.payee.recipient_id),
      { ...options, idempotencyKey: args.intent_id },
    );
    return paymentResult(request, now(), replayed ? ALREADY_ASKED : undefined);
  } catch (error) {
    if (!isApiError(error)) throw error;
    if (error.code === 'possible_duplicate') return possibleDuplicate(error);
    if (error.code !== 'idempotency_key_reused') throw error;
    const known = await earlierOf(connection, args.intent_id, options, error.details.request_id);
    if (!known) throw error;
    return known.repeat(args, now(), found.payee.recipient_id);
  }
}

const ALREADY_ASKED = 'You requested this before, and this is that request.';
const OTHER_WORDS =
  'You requested this before in other words, and this is that request; the person sees the first words.';

async function payeeOf(
  connection: ConnectionClient,
  { payee, recipient_id: recipientId }: PaymentArguments,
  options: CallOptions,
) {
  if (recipientId === undefined) return findPayee(connection, payee ?? '', options);
  return { payee: (await connection.payees.get(recipientId, options)).payee };
}

/** `purpose` and `items` are words for the person; everything that moves money comes from the Recipient. */
function bodyOf(args: PaymentArguments, recipientId: string) {
  const { amount, asset, purpose, items, valid_minutes: minutes, second_payment_of: secondOf } = args;
  return {
    recipient_id: recipientId,
    payment: { amount },
    policy: { requires_user_approval: true },
    display: { purpose, ...(items === undefined ? {} : { items: items as never }) },
    if_duplicate: 'refuse',
    ...(asset === undefined ? {} : { expect: { asset } }),
    ...(minutes === undefined ? {} : { expires_in: minutes * 60 }),
    ...(secondOf === undefined ? {} : { duplicate_of: secondOf }),
  } satisfies PaymentRequestInput;
}

function choosePayee(wanted: string, candidates: readonly Payee[]): ToolResult {
  const choice = candidates.length === 0 ? 'There is none.' : `Candidates: ${payeeList(candidates)}.`;
  const text = `${quoted(wanted)} names no single payee: ${OUTCOMES.choose_payee} ${choice}`;
  const members = { outcome: 'choose_payee', candidates: candidates.map(payeeSummary) };
  return withNames(result(members, text, NEXT_STEPS.choose_payee));
}

function possibleDuplicate(error: ApiError<'possible_duplicate'>): ToolResult {
  const { requests } = error.details;
  const members = { outcome: 'possible_duplicate', earlier_requests: requests };
  const list = requests.map(({ request_id: id, status, created_at: at }) => `${id} (${status}, of ${at})`);
  const text = `${OUTCOMES.possible_duplicate} Earlier requests: ${list.join(', ')}.`;
  return result(members, text, NEXT_STEPS.possible_duplicate);
}

/** No wallet can send more than the network can carry. */
function refuseTooMuch({ payment }: Payee, amount: string): ToolResult | undefined {
  const most = maxAmount(payment.network, payment.decimals);
  if (compareDecimals(amount, most) <= 0) return undefined;
  return failure(
    'amount_invalid',
    `${payment.network} cannot carry ${amount} ${payment.asset} in one payment; the most is ${most}.`,
    'Check the amount with the person; nothing was created.',
  );
}

interface Earlier {
  /** `recipientId`: the payee that these arguments name today. */
  repeat(args: PaymentArguments, nowMs: number, recipientId?: string): ToolResult;
}

/** The request that this `intent_id` made before, if any. */
async function earlierOf(
  connection: ConnectionClient,
  intentId: string,
  options: CallOptions,
  requestId?: unknown,
): Promise<Earlier | undefined> {
  const { paymentRequests } = connection;
  const request =
    typeof requestId === 'string'
      ? (await paymentRequests.get(requestId, options)).payment_request
      : (await paymentRequests.list({ idempotency_key: intentId, limit: 1 }, options)).payment_requests[0];
  return request && { repeat: (args, nowMs, today) => repeated(request, args, nowMs, today) };
}

/**
 * Other words, same payee and amount: the same purchase. Another payee or amount: an error that names the first
 * request.
 */
function repeated(
  request: PaymentRequest,
  args: PaymentArguments,
  nowMs: number,
  recipientId = args.recipient_id,
): ToolResult {
  const { payee, payment } = request;
  // The payee's name in the request counts too: today another payee may have that name, or none.
  const samePayee =
    payee.recipient_id === recipientId ||
    [payee.name, payee.domain].some((name) => name.toLowerCase() === args.payee?.trim().toLowerCase());
  if (samePayee && compareDecimals(payment.amount, args.amount) === 0)
    return paymentResult(request, nowMs, OTHER_WORDS);
  return withNames(
    failure(
      'idempotency_key_reused',
      `This intent_id belongs to ${request.request_id}: ${payment.amount} ${payment.asset} to ${quotedName(payee.name)}.`,
      'Use a new intent_id if this is another purchase; otherwise repeat the first payee and amount.',
      { request_id: request.request_id },
    ),
  );
}
