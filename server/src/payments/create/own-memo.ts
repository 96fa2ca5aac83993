import { hasUniqueRequestMemo, requestMemo } from '@payassent/protocol';
import type { Sql } from '../../db/open.ts';
import { AppError } from '../../errors.ts';
import { sha256OfText } from '../../lib/keys.ts';
import type { PayeeFacts } from './payees.ts';

/** A taken tag of 32 bits has a free neighbour long before this. */
const MAX_ATTEMPTS = 32;

/** Whether two requests of this payee could get the same memo. */
export function mustReserveMemo({ memo_policy, network }: PayeeFacts): boolean {
  return memo_policy === 'request' && !hasUniqueRequestMemo(network);
}

/** The memo of one request; undefined where all requests of the payee share one. */
export async function ownMemo(
  sql: Sql,
  merchantId: string,
  facts: PayeeFacts,
  { amount, ...subject }: { amount: string; connection_id: string; request_id: string },
): Promise<string | undefined> {
  if (facts.memo_policy !== 'request') return undefined;
  const details = { ...facts, amount, to: facts.address };
  const memoOf = (attempt: number) => requestMemo(details, subject, attempt, sha256OfText);
  if (!mustReserveMemo(facts)) return memoOf(0);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const memo = memoOf(attempt);
    const reserved = await sql`
      insert into request_memos (merchant_id, network, to_address, memo, connection_id, request_id)
      values (${merchantId}, ${facts.network}, ${facts.address}, ${memo}, ${subject.connection_id}, ${subject.request_id})
      on conflict (merchant_id, network, to_address, memo) do update set memo = excluded.memo
      where request_memos.connection_id = excluded.connection_id and request_memos.request_id = excluded.request_id
      returning memo`;
    if (reserved.length > 0) return memo;
  }
  throw new AppError('unavailable', {
    message: 'No memo is free for this payee; send the same request again.',
  });
}
