import { stellar } from '../../texts/wallet/stellar.ts';
import type { Payment } from '../payments/payment.ts';
import type { SignedPayment, Signer, SigningAbility, Submission } from '../signing/signer.ts';
import { type Horizon, HorizonRefusedError, HorizonUnreachableError } from './horizon.ts';
import { signWithTestKey, type TestKey } from './test-key.ts';
import { type SignedTransaction, signPayment } from './transaction.ts';

/** In stroops; ten times the least, so that a busy test network takes it too. */
const FEE = 1_000;

export interface StellarTools {
  horizon(): Promise<Horizon>;
  key(): Promise<TestKey | undefined>;
  /** The last sequence number this browser knows of the key's account. */
  knownSequence(): Promise<bigint | undefined>;
  keepSequence(sequence: bigint): Promise<void>;
}

/** Signs payments of the test network with the key in this browser, and sends them to the configured Horizon server. */
export function createStellarSigner(tools: StellarTools): Signer {
  return {
    id: 'stellar_testnet',
    canSign: (payment) => canSign(tools, payment),
    sign: (payment) => sign(tools, payment),
    submit: (_payment, signed) => submit(tools, signed),
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
  if (key === undefined) throw new Error(stellar.signer.noKey);
  const { sequence, createsDestination } = await lookUp(tools, key.address, facts);
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
      validUntil: Math.floor(Date.parse(expiresAt) / 1_000),
      createsDestination,
    },
    (hash) => signWithTestKey(key, hash),
  );
  await tools.keepSequence(sequence);
  return signed;
}

/** Without a network the last known number is used: what is signed then may be refused later, but is never paid twice. */
async function lookUp(
  tools: StellarTools,
  source: string,
  facts: Payment['facts'],
): Promise<{ sequence: bigint; createsDestination: boolean }> {
  const known = (await tools.knownSequence()) ?? 0n;
  try {
    const horizon = await tools.horizon();
    const account = await horizon.account(source);
    const mayCreate = (facts.issuer ?? null) === null && facts.to.startsWith('G');
    const createsDestination = mayCreate && (await horizon.account(facts.to)) === undefined;
    return { sequence: largest(account?.sequence ?? 0n, known) + 1n, createsDestination };
  } catch (error) {
    if (!(error instanceof HorizonUnreachableError)) throw error;
    return { sequence: known + 1n, createsDestination: false };
  }
}

async function submit(tools: StellarTools, { txHash, envelope }: SignedPayment): Promise<Submission> {
  if (txHash === undefined || envelope === undefined) return { outcome: 'elsewhere' };
  const horizon = await tools.horizon();
  try {
    await horizon.submit(envelope);
    return { outcome: 'confirmed', txHash };
  } catch (error) {
    // A repetition of what the network already has is refused as well: the network is asked what it knows.
    const seen = await horizon.transaction(txHash).catch(() => 'unknown' as const);
    if (seen === 'applied') return { outcome: 'confirmed', txHash };
    if (seen === 'failed') return failed(error);
    if (error instanceof HorizonRefusedError && isForGood(error)) return failed(error);
    return { outcome: 'unreachable', why: error instanceof Error ? error.message : String(error) };
  }
}

/** Refusals after which these bytes can never be carried out. Every other one may pass: the transaction stays signed. */
const FOR_GOOD: ReadonlySet<string> = new Set(['tx_failed', 'tx_too_late', 'tx_malformed', 'tx_bad_auth']);

function isForGood({ codes }: HorizonRefusedError): boolean {
  return codes.some((code) => FOR_GOOD.has(code));
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

function largest(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}
