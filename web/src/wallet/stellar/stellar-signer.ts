import { stellar } from '../../texts/wallet/stellar.ts';
import type { Payment } from '../payments/payment.ts';
import {
  CannotSignError,
  type SignedPayment,
  type Signer,
  type SigningAbility,
  type Submission,
} from '../signing/signer.ts';
import { type Horizon, HorizonUnreachableError } from './horizon.ts';
import {
  type AccountNumbers,
  holdNumber,
  markUsed,
  nextNumber,
  numbersNow,
  releaseNumber,
} from './sequence-numbers.ts';
import { submitEnvelope } from './submission.ts';
import { signWithTestKey, type TestKey } from './test-key.ts';
import { readEnvelope, type SignedTransaction, signPayment } from './transaction.ts';

/** In stroops; ten times the least, so that a busy test network takes it too. */
const FEE = 1_000;

export interface StellarTools {
  horizon(): Promise<Horizon>;
  key(): Promise<TestKey | undefined>;
  numbers(): Promise<AccountNumbers | undefined>;
  keepNumbers(numbers: AccountNumbers): Promise<void>;
  /** Runs one at a time, over all pages of this browser: two payments must not take the same number. */
  exclusively<T>(act: () => Promise<T>): Promise<T>;
  now(): Date;
}

/** Signs payments of the test network with the key in this browser, and sends them to the configured Horizon server. */
export function createStellarSigner(tools: StellarTools): Signer {
  return {
    id: 'stellar_testnet',
    canSign: (payment) => canSign(tools, payment),
    sign: (payment) => tools.exclusively(() => sign(tools, payment)),
    submit: (_payment, signed) => submit(tools, signed),
    discard: (signed) => changeNumbers(tools, signed, releaseNumber),
  };
}

async function canSign(tools: StellarTools, { facts }: Payment): Promise<SigningAbility> {
  if (facts.network !== 'stellar_testnet') return { can: 'no', why: stellar.signer.otherNetwork };
  const key = await tools.key();
  if (key === undefined) return { can: 'no', why: stellar.signer.noKey };
  return { can: 'here', note: stellar.signer.note(key.address) };
}

async function sign(tools: StellarTools, { facts, expiresAt }: Payment): Promise<SignedTransaction> {
  const key = await tools.key();
  if (key === undefined) throw new CannotSignError(stellar.signer.noKey);
  const { numbers, createsDestination } = await lookUp(tools, key.address, facts);
  const sequence = nextNumber(numbers);
  const validUntil = Math.floor(Date.parse(expiresAt) / 1_000);
  const signed = await signPayment(
    {
      source: key.address,
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
    (hash) => signWithTestKey(key, hash),
  );
  await tools.keepNumbers(holdNumber(numbers, { sequence, validUntil }));
  return signed;
}

/** Without a network the last known number is used: what is signed then may be refused later, but is never paid twice. */
async function lookUp(
  tools: StellarTools,
  source: string,
  facts: Payment['facts'],
): Promise<{ numbers: AccountNumbers; createsDestination: boolean }> {
  const kept = await tools.numbers();
  try {
    const horizon = await tools.horizon();
    const account = await horizon.account(source);
    if (account === undefined) throw new CannotSignError(stellar.signer.unfunded);
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
  const { sequence } = readEnvelope(envelope);
  await tools.exclusively(async () => {
    const numbers = await tools.numbers();
    if (numbers !== undefined) await tools.keepNumbers(change(numbers, sequence));
  });
}
