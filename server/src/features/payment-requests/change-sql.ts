import { layoutOf } from '../../db/layout.ts';
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

/** Places in the list of those whose credential may have lost its rights, or whose request has changed after all. */
export async function findPendingReads(
  sql: Sql,
  waiting: readonly (WaitingRead & { standing: CallerStanding | undefined })[],
  now: Date,
): Promise<number[]> {
  const input = JSON.stringify(
    waiting.map(({ credential, connectionId }, n) => ({
      n,
      kind: credential.kind,
      token_hash: credential.tokenHash,
      connection_id: connectionId,
    })),
  );
  const places = await sql<{ n: number; merchant_id: string; is_over: boolean }[]>`
    select p.n, c.merchant_id, case p.kind
        when 'connection' then false
        when 'wallet' then not exists (
          select from device_tokens dt join devices d on d.device_id = dt.device_id
          where dt.token_hash = p.token_hash and ${deviceIsUsable(sql, now)})
        else not exists (select from merchant_sessions s where s.token_hash = p.token_hash and ${sessionIsOpen(sql, now)})
      end as is_over
    from json_to_recordset(${input}::text::json) as p(n int, kind text, token_hash text, connection_id id)
      join connections c on c.connection_id = p.connection_id`;
  const pending = new Set(places.filter((place) => place.is_over).map((place) => place.n));
  await layoutOf(sql).byMerchant(
    sql,
    places,
    (place) => place.merchant_id,
    async (own, asked) => {
      const reads = JSON.stringify(
        asked.map(({ n, merchant_id }) => ({
          n,
          merchant_id,
          version: waiting[n]?.standing?.version,
          connection_id: waiting[n]?.connectionId,
          request_id: waiting[n]?.requestId,
          after: waiting[n]?.after,
        })),
      );
      const rows = await own<{ n: number }[]>`
        select p.n
        from json_to_recordset(${reads}::text::json)
            as p(n int, merchant_id id, version uuid, connection_id id, request_id id, after bigint)
        where p.version is not null and ${isOutdated(own)}
          or exists (
            select from payment_request_events e
            where e.merchant_id = p.merchant_id and e.connection_id = p.connection_id and e.request_id = p.request_id
              and e.state_version > p.after)`;
      for (const { n } of rows) pending.add(n);
      return asked;
    },
  );
  return [...pending];
}
