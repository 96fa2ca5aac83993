import type { Sql } from '../../db/open.ts';
import type { CallerStanding, PresentedCredential } from '../../http/principals.ts';
import { deviceIsUsable } from '../callers/device-token.ts';
import { sessionIsOpen } from '../merchant-accounts/open-session.ts';
import { isOutdated } from './gate-sql.ts';

export interface WaitingRead {
  credential: PresentedCredential;
  connectionId: string;
  requestId: string;
  after: number;
}

/** Places in the list of those whose credential may be dead, or whose request has changed after all. One question for all. */
export async function findMissedChanges(
  sql: Sql,
  waiting: readonly (WaitingRead & { standing: CallerStanding | undefined })[],
  now: Date,
): Promise<number[]> {
  const input = JSON.stringify(
    waiting.map(({ credential, standing, connectionId, requestId, after }, n) => ({
      n,
      kind: credential.kind,
      token_hash: credential.tokenHash,
      merchant_id: standing?.merchantId,
      version: standing?.version,
      connection_id: connectionId,
      request_id: requestId,
      after,
    })),
  );
  const rows = await sql<{ n: number }[]>`
    select p.n
    from json_to_recordset(${input}::text::json)
      as p(n int, kind text, token_hash text, merchant_id id, version uuid, connection_id id, request_id id, after bigint)
    where exists (
        select from payment_request_events e
        where e.connection_id = p.connection_id and e.request_id = p.request_id and e.state_version > p.after)
      or case p.kind
        when 'connection' then ${isOutdated(sql)}
        when 'wallet' then not exists (
          select from device_tokens dt join devices d on d.device_id = dt.device_id
          where dt.token_hash = p.token_hash and ${deviceIsUsable(sql, now)})
        else not exists (select from merchant_sessions s where s.token_hash = p.token_hash and ${sessionIsOpen(sql, now)})
      end`;
  return rows.map((row) => row.n);
}
