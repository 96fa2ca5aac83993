import type { Sql } from '../../db/open.ts';
import type { PresentedCredential } from '../../http/principals.ts';
import { deviceIsUsable } from '../callers/device-token.ts';
import { sessionIsOpen } from '../merchant-accounts/open-session.ts';
import { joinCaller } from './gate-sql.ts';

export interface WaitingRead {
  credential: PresentedCredential;
  connectionId: string;
  requestId: string;
  after: number;
}

/** Places in the list of those whose credential is dead, or whose request has changed after all. One question for all. */
export async function findMissedChanges(
  sql: Sql,
  waiting: readonly WaitingRead[],
  now: Date,
): Promise<number[]> {
  const input = JSON.stringify(
    waiting.map(({ credential, connectionId, requestId, after }, n) => ({
      n,
      kind: credential.kind,
      token_hash: credential.tokenHash,
      proved_by: credential.provedBy,
      connection_id: connectionId,
      request_id: requestId,
      after,
    })),
  );
  const rows = await sql<{ n: number }[]>`
    select p.n
    from json_to_recordset(${input}::text::json)
      as p(n int, kind text, token_hash text, proved_by id, connection_id id, request_id id, after bigint)
    where exists (
        select from payment_request_events e
        where e.connection_id = p.connection_id and e.request_id = p.request_id and e.state_version > p.after)
      or not case p.kind
        when 'connection' then exists (
          select from (select p.token_hash, p.proved_by) i ${joinCaller(sql, 'read', now)})
        when 'wallet' then exists (
          select from device_tokens dt join devices d on d.device_id = dt.device_id
          where dt.token_hash = p.token_hash and ${deviceIsUsable(sql, now)})
        else exists (select from merchant_sessions s where s.token_hash = p.token_hash and ${sessionIsOpen(sql, now)})
      end`;
  return rows.map((row) => row.n);
}
