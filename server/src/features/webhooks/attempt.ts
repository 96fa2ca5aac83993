import { type Ed25519, newId } from '@payassent/protocol';
import { addMs, type Clock } from '../../lib/clock.ts';
import type { Outbound } from '../../lib/outbound/index.ts';
import type { Random } from '../../lib/random.ts';
import type { ClaimedRow, DueEndpoint } from './claim-sql.ts';
import type { SealedSecrets } from './endpoints/secrets.ts';
import type { AttemptRecord } from './record-sql.ts';
import { parseRetryAfter, retryDelayMs } from './schedule.ts';
import { failed, judgeAnswer, type Outcome, postOf } from './send.ts';

export interface AttemptParts {
  clock: Clock;
  random: Random;
  outbound: Outbound;
  readSecrets(endpoint: SealedSecrets, now: Date): Uint8Array[];
  signer: Ed25519;
  /** An internal error; the merchant only learns that there was one. */
  onFault(error: unknown): void;
}

interface Attempt {
  attemptedAt: Date;
  endedAt: Date;
  outcome: Outcome;
}

/** One request, without any open transaction. `undefined` when we aborted it. */
export async function attemptDelivery(
  parts: AttemptParts,
  endpoint: DueEndpoint,
  row: ClaimedRow,
  signal: AbortSignal,
): Promise<Attempt | undefined> {
  const attemptedAt = parts.clock.now();
  let outcome: Outcome | undefined;
  if (row.body === null) outcome = failed(null, 'message_gone', 0);
  else {
    try {
      const request = postOf({
        url: endpoint.url,
        eventId: row.event_id,
        // Sent as UTF-8, which is also what is signed.
        body: row.body,
        secrets: parts.readSecrets(endpoint, attemptedAt),
        signer: parts.signer,
        at: attemptedAt,
      });
      outcome = judgeAnswer(await parts.outbound.send(request, signal));
    } catch (error) {
      parts.onFault(error);
      outcome = failed(null, 'internal_error', 0);
    }
  }
  return outcome && { attemptedAt, endedAt: parts.clock.now(), outcome };
}

/** The row as it will be stored, and the next attempt's when there is to be one. */
export function toRecord(
  row: ClaimedRow,
  lease: string,
  { attemptedAt, endedAt, outcome }: Attempt,
  random: Random,
): AttemptRecord {
  const isOver = outcome.delivered || outcome.gone || row.body === null;
  const askedMs = parseRetryAfter(outcome.retryAfter, endedAt);
  const delayMs = isOver ? undefined : retryDelayMs(row.attempt, askedMs, random);
  const next =
    delayMs === undefined
      ? null
      : {
          delivery_id: newId('whd', endedAt.getTime(), (count) => random.bytes(count)),
          run_at: addMs(endedAt, delayMs),
        };
  return {
    merchant_id: row.merchant_id,
    delivery_id: row.delivery_id,
    lease,
    status: outcome.delivered ? 'delivered' : 'failed',
    http_status: outcome.httpStatus,
    error_class: outcome.errorClass,
    duration_ms: outcome.durationMs,
    attempted_at: attemptedAt,
    next,
  };
}
