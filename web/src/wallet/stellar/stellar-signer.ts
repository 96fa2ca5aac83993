import { addDecimals, compareDecimals, fromBaseUnits, normaliseDecimal } from '@payassent/protocol';
import { stellar } from '../../texts/wallet/stellar.ts';
import type { Payment } from '../payments/payment.ts';
import {
  CannotSignError,
  type SignedPayment,
  type Signer,
  type SigningAbility,
  type Submission,
} from '../signing/signer.ts';
import {
  type Horizon,
  type HorizonAccount,
  HorizonRefusedError,
  HorizonUnreachableError,
} from './horizon.ts';
import {
  type AccountNumbers,
  holdNumber,
  markUsed,
  nextNumber,
  numbersNow,
  releaseNumber,
} from './sequence-numbers.ts';
import { readEnvelope, type SignedTransaction, signPayment, type Unsigned } from './transaction.ts';

/** In stroops; ten times the least, so that a busy test network takes it too. */
const FEE = 1_000;
const DECIMALS = 7;

/** An account of the test network, and what signs for it. */
interface StellarSource {
  address: string;
  sign(unsigned: Unsigned): Promise<Uint8Array>;
}

interface StellarTools {
  id: string;
  /** Whether it could sign, without a prompt or a call. */
  ability(): Promise<SigningAbility>;
  horizon(): Promise<Horizon>;
  /** Undefined when there is none any more. */
  source(): Promise<StellarSource | undefined>;
  unfunded: string;
  numbers(address: string): Promise<AccountNumbers | undefined>;
  keepNumbers(address: string, numbers: AccountNumbers): Promise<void>;
  /** Runs one at a time, over all pages of this browser: two payments must not take the same number. */
  exclusively<T>(act: () => Promise<T>): Promise<T>;
  now(): Date;
}

/** Signs payments of the test network for one account, and sends them to the configured Horizon server. */
export function createStellarSigner(tools: StellarTools): Signer {
  return {
    id: tools.id,
    canSign: (payment) => canSign(tools, payment),
    sign: (payment) => tools.exclusively(() => sign(tools, payment)),
    submit: (_payment, signed) => submit(tools, signed),
    discard: (signed) => changeNumbers(tools, signed, releaseNumber),
  };
}

async function canSign(tools: StellarTools, { facts }: Payment): Promise<SigningAbility> {
  if (facts.network !== 'stellar_testnet') return { can: 'no', why: stellar.signer.otherNetwork };
  return tools.ability();
}

async function sign(tools: StellarTools, { facts, expiresAt }: Payment): Promise<SignedTransaction> {
  const source = await tools.source();
  if (source === undefined) throw new CannotSignError(stellar.signer.noKey);
  const { address } = source;
  const { numbers, createsDestination } = await lookUp(tools, address, facts);
  const sequence = nextNumber(numbers);
  const validUntil = Math.floor(Date.parse(expiresAt) / 1_000);
  const signed = await signPayment(
    {
      source: address,
      sequence,
      fee: FEE,
      destination: facts.to,
      amount: facts.amount,
      asset: facts.asset,
      issuer: facts.issuer ?? null,
      memo: facts.memo ?? null,
      validUntil,
      createsDestination,
    },
    source.sign,
  );
  await tools.keepNumbers(address, holdNumber(numbers, { sequence, validUntil }));
  return signed;
}

/** Without a network the last known number is used: what is signed then may be refused later, but is never paid twice. */
async function lookUp(
  tools: StellarTools,
  source: string,
  facts: Payment['facts'],
): Promise<{ numbers: AccountNumbers; createsDestination: boolean }> {
  const kept = await tools.numbers(source);
  try {
    const horizon = await tools.horizon();
    const account = await horizon.account(source);
    if (account === undefined) throw new CannotSignError(tools.unfunded);
    if (!costOf(facts, account, source).isCovered) throw new CannotSignError(stellar.signer.tooLittle);
    const mayCreate = (facts.issuer ?? null) === null && facts.to.startsWith('G');
    const createsDestination = mayCreate && (await horizon.account(facts.to)) === undefined;
    return { numbers: numbersNow(kept, account.sequence, tools.now()), createsDestination };
  } catch (error) {
    if (!(error instanceof HorizonUnreachableError)) throw error;
    if (kept === undefined) throw new CannotSignError(stellar.signer.neverReached);
    return { numbers: numbersNow(kept, kept.lastUsed, tools.now()), createsDestination: false };
  }
}

async function submit(tools: StellarTools, signed: SignedPayment): Promise<Submission> {
  const { txHash, envelope } = signed;
  if (txHash === undefined || envelope === undefined) return { outcome: 'elsewhere' };
  const submission = await submitEnvelope(await tools.horizon(), { txHash, envelope });
  if (submission.outcome === 'confirmed') await changeNumbers(tools, signed, markUsed);
  if (submission.outcome === 'failed') await changeNumbers(tools, signed, releaseNumber);
  return submission;
}

async function changeNumbers(
  tools: StellarTools,
  { envelope }: SignedPayment,
  change: (numbers: AccountNumbers, sequence: bigint) => AccountNumbers,
): Promise<void> {
  if (envelope === undefined) return;
  const { source, sequence } = readEnvelope(envelope);
  await tools.exclusively(async () => {
    const numbers = await tools.numbers(source);
    if (numbers !== undefined) await tools.keepNumbers(source, change(numbers, sequence));
  });
}

export interface Cost {
  /** What the account holds of the asset that is paid. */
  balance: string;
  /** At most, in XLM. */
  fee: string;
  /** False when the account holds less than amount and fee: the network would refuse it. */
  isCovered: boolean;
}

/** The cost of a payment for an account, as far as its balances show. */
export function costOf(
  { asset, issuer, amount }: Payment['facts'],
  { balances }: HorizonAccount,
  address: string,
): Cost {
  const held = (name: string, by: string | null) =>
    balances.find((entry) => entry.asset === name && entry.issuer === by)?.balance ?? '0';
  const balance = held(asset, issuer ?? null);
  const fee = fromBaseUnits(BigInt(FEE), DECIMALS);
  const needed = issuer == null ? addDecimals(amount, fee) : amount;
  // An issuer makes what it pays.
  const hasAsset = issuer === address || compareDecimals(balance, needed) >= 0;
  const isCovered = hasAsset && compareDecimals(held('XLM', null), fee) >= 0;
  return { balance: normaliseDecimal(balance), fee, isCovered };
}

/** Refusals after which these bytes can never be carried out. Every other one may pass: the transaction stays signed. */
const FOR_GOOD: ReadonlySet<string> = new Set(['tx_failed', 'tx_too_late', 'tx_malformed', 'tx_bad_auth']);

/** Sends a signed transaction, and returns its outcome as far as the network reports it. */
async function submitEnvelope(
  horizon: Horizon,
  { txHash, envelope }: SignedTransaction,
): Promise<Submission> {
  try {
    await horizon.submit(envelope);
    return { outcome: 'confirmed', txHash };
  } catch (error) {
    const isPastForGood = await isRefusedForGood(horizon, envelope, error);
    // The network also rejects a repeat of a transaction that it already has, so its status is queried. That comes
    // last: a number that the transaction itself has used must not count against it.
    const seen = await horizon.transaction(txHash).catch(() => 'no answer' as const);
    if (seen === 'applied') return { outcome: 'confirmed', txHash };
    if (seen === 'failed') return failed(error);
    if (!(error instanceof HorizonRefusedError)) return { outcome: 'unreachable', why: messageOf(error) };
    if (seen === 'unknown' && isPastForGood) return failed(error);
    return { outcome: 'refused', why: whyNot(error) };
  }
}

async function isRefusedForGood(horizon: Horizon, envelope: string, error: unknown): Promise<boolean> {
  if (!(error instanceof HorizonRefusedError)) return false;
  if (!error.codes.includes('tx_bad_seq')) return error.codes.some((code) => FOR_GOOD.has(code));
  // Too high a number waits for the ones before it; one that was used by another transaction is lost.
  const { source, sequence } = readEnvelope(envelope);
  const account = await horizon.account(source).catch(() => undefined);
  return account !== undefined && account.sequence >= sequence;
}

function whyNot({ codes }: HorizonRefusedError): string {
  const reasons: Readonly<Record<string, string>> = stellar.signer.reasons;
  const known = codes.map((code) => reasons[code]).find((reason) => reason !== undefined);
  const names = codes.join(', ') || stellar.signer.noReason;
  return known === undefined ? names : `${known} (${names})`;
}

function failed(error: unknown): Submission {
  const codes = error instanceof HorizonRefusedError ? error.codes : [];
  const code = codes.at(-1) ?? 'transaction_failed';
  return {
    outcome: 'failed',
    reasonCode: code.toLowerCase().replaceAll(/[^a-z0-9_]/g, '_'),
    reason: stellar.signer.refused(codes.join(', ') || code),
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
