import {
  type Danger,
  dangersOf,
  NETWORKS,
  type Network,
  networkRow,
  type PaymentToPayee,
  requestMemo,
} from '@payassent/protocol';
import type { AgentPayment, PaymentRequest, WalletClient } from '@payassent/sdk';
import { listing, type Paint, plain } from '../output.ts';

/** What a wallet found out about a payment before it shows the question. */
export interface Checked {
  dangers: readonly Danger[];
  /** Earlier payments could not be read, so nothing is known about changes. */
  isMissing: boolean;
}

type Reviewed = PaymentRequest | AgentPayment;

const PAID = ['signed', 'broadcasted', 'confirmed'] as const;
/** Of each status; newest first. */
const MOST = 100;
const TIMEOUT_MS = 5000;

/**
 * Compares with this wallet's earlier payments. The comparison has a short time limit, and the customer is informed
 * when it is missing.
 */
export async function checkPayment(
  wallet: WalletClient,
  payment: Reviewed,
  signal: AbortSignal,
): Promise<Checked> {
  try {
    const paid = await readPaid(wallet, AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]));
    const others = paid.filter((other) => keyOf(other) !== keyOf(payment)).map(toPayee);
    return { dangers: dangersOf(toPayee(payment), others), isMissing: false };
  } catch {
    signal.throwIfAborted();
    return { dangers: [], isMissing: true };
  }
}

async function readPaid(wallet: WalletClient, signal: AbortSignal): Promise<Reviewed[]> {
  const lists = await Promise.all(
    PAID.flatMap((status) => [
      firstOf(wallet.paymentRequests.each({ status, limit: MOST }, { signal })),
      firstOf(wallet.agentPayments.each({ status, limit: MOST }, { signal })),
    ]),
  );
  return lists.flat().toSorted((a, b) => b.created_at.localeCompare(a.created_at));
}

async function firstOf(records: AsyncIterable<Reviewed>): Promise<Reviewed[]> {
  const found: Reviewed[] = [];
  for await (const record of records) {
    found.push(record);
    if (found.length >= MOST) break;
  }
  return found;
}

function keyOf(record: Reviewed): string {
  return `${record.connection_id} ${'request_id' in record ? record.request_id : record.id}`;
}

function toPayee(record: Reviewed): PaymentToPayee {
  const isRequest = 'request_id' in record;
  const facts = isRequest ? record.payment : record;
  const recipientId = isRequest ? record.payee.recipient_id : record.recipient_id;
  const versionId = isRequest ? record.payee.recipient_version_id : record.recipient_version_id;
  const { connection_id } = record;
  const subject = isRequest
    ? { connection_id, request_id: record.request_id }
    : { connection_id, agent_payment_id: record.id };
  const isOwn =
    facts.memo && requestMemo({ ...facts, recipient_version_id: versionId }, subject) === facts.memo;
  return { ...facts, recipientId, memo: isOwn ? null : facts.memo };
}

/** Above everything else that is shown. */
export function dangerText({ dangers, isMissing }: Checked, paint: Paint): string[] {
  const rows = dangers.map((danger) => ['DANGER', paint.bad(wordsOf(danger))] as [string, string]);
  if (isMissing)
    rows.push(['Not checked', paint.bad('earlier payments could not be read: compare address and amount')]);
  return rows.length === 0 ? [] : [listing(rows, '  ', paint.columns)];
}

function wordsOf(danger: Danger): string {
  if (danger.danger === 'amount')
    return `far above what this payee was paid before: ${danger.highest} at most`;
  const before = danger.before === null ? 'none' : titleOf(danger.danger, danger.before);
  return `another ${danger.danger} than the last payment to this payee had; it was ${before}`;
}

function titleOf(danger: Danger['danger'], before: string): string {
  const isNetwork = danger === 'network' && (NETWORKS as readonly string[]).includes(before);
  return isNetwork ? networkRow(before as Network).title : plain(before);
}
