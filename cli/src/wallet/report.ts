import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type PaymentRequest,
  type StatusAnswer,
  type StatusReport,
  TransportError,
  type WalletClient,
} from '@payassent/sdk';

const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 300;

/**
 * Made up, but always the same for one request: a wallet that was cut off after signing finds its own transaction again
 * instead of making a second one.
 */
export function simulatedHash(request: PaymentRequest): string {
  const { connection_id, request_id, facts_digest } = request;
  return simulatedHashOf(connection_id, request_id, facts_digest);
}

export function simulatedHashOf(connectionId: string, id: string, factsDigest: string): string {
  return createHash('sha256')
    .update(JSON.stringify(['payassent wallet simulate', connectionId, id, factsDigest]))
    .digest('hex');
}

export function report(
  wallet: WalletClient,
  request: PaymentRequest,
  change: Pick<StatusReport, 'status' | 'tx_hash' | 'reason_code' | 'reason' | 'decision'>,
  signal: AbortSignal,
): Promise<StatusAnswer> {
  const { request_id, connection_id } = request;
  return repeated(
    () => wallet.paymentRequests.reportStatus(request_id, { ...change, connection_id }, { signal }),
    signal,
  );
}

/**
 * Reports a status. After a lost answer the same report is made again: from this device it is accepted again, so it can
 * do no harm.
 */
export async function repeated<T>(send: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof TransportError) || attempt === ATTEMPTS) throw error;
      await sleep(FIRST_PAUSE_MS * 2 ** (attempt - 1), undefined, { signal });
    }
  }
}
