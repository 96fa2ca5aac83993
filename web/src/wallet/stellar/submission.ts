import { stellar } from '../../texts/wallet/stellar.ts';
import type { Submission } from '../signing/signer.ts';
import { type Horizon, HorizonRefusedError } from './horizon.ts';
import { readEnvelope, type SignedTransaction } from './transaction.ts';

/** Refusals after which these bytes can never be carried out. Every other one may pass: the transaction stays signed. */
const FOR_GOOD: ReadonlySet<string> = new Set(['tx_failed', 'tx_too_late', 'tx_malformed', 'tx_bad_auth']);

/** Sends a signed transaction, and says what became of it as far as the network tells. */
export async function submitEnvelope(
  horizon: Horizon,
  { txHash, envelope }: SignedTransaction,
): Promise<Submission> {
  try {
    await horizon.submit(envelope);
    return { outcome: 'confirmed', txHash };
  } catch (error) {
    const isPastForGood = await isRefusedForGood(horizon, envelope, error);
    // A repetition of what the network already has is refused as well: the network is asked what it knows. That comes
    // last: a number that the transaction itself has used up must not count against it.
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
