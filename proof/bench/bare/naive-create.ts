import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { newId } from '@payassent/protocol';
import type postgres from '../../../server/vendor/postgres/src/index.js';
import type { Caller } from '../ground/population.ts';

/**
 * The shortest form of a create that is still correct without sharing: one prepared statement that inserts the row, its
 * entry in the list of pending requests and its delivery, checks the caller's rights and the payee by a join, and
 * commits alone. The caller prepares facts, digests and the message's body: the database does nothing that could be
 * done elsewhere.
 */
const GATE = `
  from connection_tokens t
    join connections c on c.connection_id = t.connection_id
    join agents a on a.agent_id = c.agent_id
    join recipients p on p.recipient_id = $9 and p.merchant_id = c.merchant_id
  where t.token_hash = $1 and t.ended_at is null and t.first_used_at is not null and c.status = 'active'
    and 'payment.requests.create' = any(c.scopes) and 'payment.requests.create' = any(a.allowed_scopes)
    and exists (select from usable_agent(c.agent_id, $19)) and p.status = 'active' and p.active_version_id = $10
  for key share of c`;

function createStatement(form: 'correct' | 'inserts', isHeard: boolean): string {
  const gate = form === 'correct' ? GATE : 'where $1::text is not null';
  const told = `,
  message as (
    insert into webhook_messages (event_id, merchant_id, type, body, created_at)
    select $21, $2, 'payment_request.created', $22, $19 from made
  )
  insert into webhook_deliveries
    (delivery_id, webhook_endpoint_id, merchant_id, event_id, event_type, attempt, status, run_at, created_at)
  select $23, $24, $2, $21, 'payment_request.created', 1, 'pending', $19, $19 from made`;
  return `
  with gate as materialized (select 1 ${gate}),
  made as (
    insert into payment_requests (merchant_id, request_id, connection_id, wallet_id, agent_id, idempotency_key,
      intent_digest, recipient_id, recipient_version_id, rail, network, asset, amount, to_address, decimals, payee,
      facts_digest, source, display, metadata, status, listed_version, created_at, expires_at, updated_at)
    select $2, $3, $4, $5, $6, $7, $8, $9, $10, 'stellar_xlm', 'stellar_testnet', 'XLM', $11, $12, $13::int, $14::text::json, $15,
      $16::text::json, $17::text::json, $18::text::json, 'pending', 1, $19::timestamptz, $20::timestamptz, $19
    from gate on conflict do nothing
    returning merchant_id, connection_id, expires_at, request_id, created_at, recipient_id, recall_generation
  ), waiting as (
    insert into pending_requests select * from made
  )${isHeard ? told : 'select request_id from made'}`;
}

const bytes = (length: number) => randomBytes(length);
const digest = createHash('sha256').update('one digest is as long as another').digest('hex');

interface NaiveCreate {
  send(sql: postgres.Sql, caller: Caller): Promise<number>;
}

export function naiveCreate(
  form: 'correct' | 'inserts',
  endpoints: ReadonlyMap<string, string>,
): NaiveCreate {
  const statements = { heard: createStatement(form, true), unheard: createStatement(form, false) };
  const hashes = new Map<string, string>();
  const hashOf = (token: string) => {
    const known = hashes.get(token) ?? createHash('sha256').update(token).digest('hex');
    hashes.set(token, known);
    return known;
  };
  return {
    async send(sql, caller) {
      const now = new Date();
      const endpoint = endpoints.get(caller.merchantId);
      const requestId = newId('pr', now.getTime(), bytes);
      const eventId = newId('evt', now.getTime(), bytes);
      const facts = factsOf(caller, requestId);
      const parameters = [
        hashOf(caller.connectionToken),
        caller.merchantId,
        requestId,
        caller.connectionId,
        caller.walletId,
        caller.agentId,
        randomUUID(),
        digest,
        caller.recipientId,
        caller.versionId,
        '12.50',
        caller.address,
        7,
        facts.payee,
        digest,
        facts.source,
        facts.display,
        facts.metadata,
        now,
        new Date(now.getTime() + 3_600_000),
        ...(endpoint === undefined
          ? []
          : [eventId, facts.message, newId('whd', now.getTime(), bytes), endpoint]),
      ];
      const statement = endpoint === undefined ? statements.unheard : statements.heard;
      const rows = await sql.unsafe(statement, parameters as never[], { prepare: true });
      return rows.count;
    },
  };
}

function factsOf(caller: Caller, requestId: string) {
  const payee =
    `{"name":"Harbour Theatre","verified":true,"domain":"theatre.example","recipient_id":"${caller.recipientId}",` +
    `"recipient_version_id":"${caller.versionId}","evidence_digest":"${digest}"}`;
  const source =
    `{"kind":"checkout","order":"A-20417","agent_id":"${caller.agentId}","agent_name":"Ticket agent",` +
    '"merchant_name":"Harbour Theatre"}';
  const display = '{"title":"Two tickets","description":"Evening show, row 7, seats 11 and 12"}';
  const metadata = '{"order_id":"A-20417","cart":"c81d"}';
  const message =
    `{"type":"payment_request.created","data":{"payment_request":{"request_id":"${requestId}","payee":${payee},` +
    `"source":${source},"display":${display},"metadata":${metadata},"facts_digest":"${digest}","filler":"${'.'.repeat(500)}"}}}`;
  return { payee, source, display, metadata, message };
}
