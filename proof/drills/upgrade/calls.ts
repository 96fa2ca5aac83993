import { setTimeout as pause } from 'node:timers/promises';
import { type Database, openDatabase, transaction } from '../../../server/src/db/open.ts';
import { TEMPLATE } from './rows.ts';

/** Statements as calls have them, in a form that holds at every schema. */
export interface Calls {
  /** The longest duration of each kind since the previous call, in ms. */
  longest(): Record<string, number>;
  made(): number;
  stop(): Promise<string[]>;
}

interface Template {
  merchant_id: string;
  request_id: string;
  connection_id: string;
  wallet_id: string;
}

const PAUSE_MS = 20;

export async function startCalls(url: string): Promise<Calls> {
  const db = openDatabase({ url }, { pool: 6, patient: true });
  const columns = await db<{ name: string }[]>`
    select column_name::text as name from information_schema.columns
    where table_schema = current_schema() and table_name = 'payment_requests' order by ordinal_position`;
  const [template] = await db.unsafe<Template[]>(TEMPLATE);
  if (!template) throw new Error('there is no request to copy');
  const names = columns.map(({ name }) => name);
  const own: Record<string, string> = {
    request_id: '$1::text',
    idempotency_key: '$1::text',
    created_at: 'now()',
    updated_at: 'now()',
    expires_at: `now() + interval '1 day'`,
    status: `'pending'`,
    state_version: '1',
    amount: `'7'`,
  };
  const insert = `insert into payment_requests (${names.join(', ')})
    select ${names.map((name) => own[name] ?? `t.${name}`).join(', ')} from payment_requests t
    where t.merchant_id = $2 and t.request_id = $3 and t.connection_id = $4`;
  const copied = [template.merchant_id, template.request_id, template.connection_id];
  const faults: string[] = [];
  let longest: Record<string, number> = {};
  let made = 0;
  let isOver = false;
  const kinds: Record<string, (db: Database, number: number) => Promise<unknown>> = {
    create: (sql, number) => sql.unsafe(insert, [`pr_call${number}`, ...copied]),
    decide: (sql, number) =>
      transaction(sql, async (tx) => {
        await tx.unsafe(insert, [`pr_decided${number}`, ...copied]);
        await tx`
          update payment_requests set status = 'signed', state_version = 2, updated_at = now()
          where merchant_id = ${template.merchant_id} and request_id = ${`pr_decided${number}`}
            and connection_id = ${template.connection_id} and status = 'pending'`;
        await tx`
          insert into payment_request_events (connection_id, sequence, event_id, merchant_id, request_id, type, status,
            previous_status, state_version, actor, occurred_at)
          values (${template.connection_id}, ${9e9 + number}, ${`evt_call${number}`}, ${template.merchant_id},
            ${`pr_decided${number}`}, 'payment_request.signed', 'signed', 'pending', 2, 'wallet', now())`;
      }),
    read: (sql) => sql`
      select status from payment_requests
      where merchant_id = ${template.merchant_id} and request_id = ${`pr_${'42'.padStart(26, '0')}`}`,
    list: (sql) => sql`
      select request_id from payment_requests where wallet_id = ${template.wallet_id}
      order by created_at desc, request_id desc limit 20`,
    audit: (sql, number) => sql`
      insert into audit_events (audit_event_id, merchant_id, type, actor_kind, actor_id, target_type, target_id, details,
        request_id, occurred_at)
      values (${`aud_call${number}`}, ${template.merchant_id}, 'agent.renamed', 'operator', 'acc_1', 'agent', 'agt_1', '{}',
        'req_1', now())`,
  };
  const loops = Object.entries(kinds).map(async ([name, call]) => {
    for (let number = 1; !isOver; number += 1) {
      const startMs = performance.now();
      // A migration invalidates the plan of a prepared statement; the service plans it again and continues.
      await call(db, number).catch((error: Error) => {
        if (!/cached plan must not change/.test(error.message)) faults.push(`${name}: ${error.message}`);
      });
      longest[name] = Math.max(longest[name] ?? 0, performance.now() - startMs);
      made += 1;
      await pause(PAUSE_MS);
    }
  });
  return {
    longest() {
      const found = longest;
      longest = {};
      return found;
    },
    made: () => made,
    async stop() {
      isOver = true;
      await Promise.all(loops);
      await db.end();
      return faults;
    },
  };
}
