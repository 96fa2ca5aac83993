// The last calls of each agent, with their results: a developer's first stop in debugging. The composition passes every
// completed call of an agent to `note`; nothing else imports it. No caller waits for it, it holds no body or token, and
// its rows are bounded for each merchant.

import { newId } from '@payassent/protocol';
import * as api from '@payassent/protocol/api';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/open.ts';
import type { AnsweredCall } from '../../http/kernel.ts';
import { implement } from '../../http/route.ts';
import { RETENTION } from '../../jobs/retention.ts';
import { DAY_MS, SECOND_MS, toTimestamp } from '../../lib/clock.ts';
import { createMemory } from '../../lib/memory.ts';
import { FIXED_CAPS } from '../../limits.ts';
import { decodeCursor, toPage } from '../../page.ts';
import type { Feature } from '../feature.ts';
import { forgetAfter } from '../forget-after.ts';

export interface RequestLog {
  note(call: AnsweredCall): void;
  /** Resolves once what was noted here is stored. */
  stored(): Promise<void>;
}

const GATHERED_FOR_MS = SECOND_MS;
/** The most per write: of an agent, whose last calls are kept, of its merchant, and in total. */
const MOST = { ofAgent: 20, ofMerchant: 200, ofAll: 1_000 } as const;
/** A merchant's oldest rows are trimmed once in so many new ones. */
const TRIM_EVERY = 500;
const MAX_MERCHANTS = 10_000;

type Noted = AnsweredCall & { calledAt: Date };

export function createRequestLog({ serviceDb, log, clock, random, writing: commits }: Context): RequestLog {
  let noted = new Map<string, Noted[]>();
  let ofMerchants = new Map<string, number>();
  let ofAll = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  /** Rows of each merchant written here since its last trim. */
  const untrimmed = createMemory<number>(MAX_MERCHANTS);

  const store = async (calls: readonly Noted[]): Promise<void> => {
    await insertCalls(
      serviceDb,
      calls.map((call) => ({ ...call, callId: newId('cal', call.calledAt.getTime(), random.bytes) })),
    );
    for (const merchantId of new Set(calls.map(({ agent }) => agent.merchantId))) {
      const rows = calls.filter(({ agent }) => agent.merchantId === merchantId).length;
      const sinceTrim = (untrimmed.get(merchantId) ?? 0) + rows;
      untrimmed.set(merchantId, sinceTrim < TRIM_EVERY ? sinceTrim : 0);
      if (sinceTrim >= TRIM_EVERY) await trim(serviceDb, merchantId);
    }
  };
  const write = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    // Kept for later: reads wait for no write.
    if (commits.state === 'refused') return Promise.resolve();
    const calls = [...noted.values()].flat();
    noted = new Map();
    ofMerchants = new Map();
    ofAll = 0;
    if (calls.length === 0) return writing;
    writing = writing
      .then(() => store(calls))
      .catch((error) =>
        log.warn(
          { event: 'request_log_unwritten', err: error },
          'calls of agents are missing in the request log',
        ),
      );
    return writing;
  };
  return {
    note(call) {
      const { agentId, merchantId } = call.agent;
      const ofAgent = noted.get(agentId) ?? [];
      if (ofAgent.length === MOST.ofAgent) ofAgent.shift();
      else {
        const ofMerchant = ofMerchants.get(merchantId) ?? 0;
        if (ofMerchant === MOST.ofMerchant || ofAll === MOST.ofAll) return;
        ofMerchants.set(merchantId, ofMerchant + 1);
        ofAll += 1;
      }
      ofAgent.push({ ...call, calledAt: clock.now() });
      noted.set(agentId, ofAgent);
      timer ??= setTimeout(write, GATHERED_FOR_MS).unref();
    },
    stored: write,
  };
}

async function insertCalls(db: Database, calls: readonly (Noted & { callId: string })[]): Promise<void> {
  const list = <Value>(of: (call: Noted & { callId: string }) => Value) => calls.map(of);
  await db`
    insert into agent_calls
      (call_id, merchant_id, agent_id, called_at, operation, status, error_code, request_id, latency_ms)
    select * from unnest(
      ${list(({ callId }) => callId)}::text[],
      ${list(({ agent }) => agent.merchantId)}::text[],
      ${list(({ agent }) => agent.agentId)}::text[],
      ${list(({ calledAt }) => toTimestamp(calledAt))}::timestamptz[],
      ${list(({ operation }) => operation)}::text[],
      ${list(({ status }) => status)}::int[],
      ${list(({ errorCode }) => errorCode ?? null)}::text[],
      ${list(({ requestId }) => requestId)}::text[],
      ${list(({ durationMs }) => Math.round(durationMs))}::int[])`;
}

/** Deletes rows older than the newest that are kept. */
async function trim(db: Database, merchantId: string): Promise<void> {
  await db`
    delete from agent_calls where merchant_id = ${merchantId} and called_at < (
      select called_at from agent_calls where merchant_id = ${merchantId}
      order by called_at desc, call_id desc offset ${FIXED_CAPS.loggedCalls.count - 1} limit 1)`;
}

interface CallRow {
  call_id: string;
  called_at: Date;
  agent_id: string;
  operation: string;
  status: number;
  error_code: string | null;
  request_id: string;
  latency_ms: number;
}

export const requestLogFeature = ({ requestLog }: { requestLog: RequestLog }): Feature => ({
  name: 'request log',
  routes: [
    implement(api.listRequestLog, {
      async run({ context: { db }, principal, query }) {
        await requestLog.stored();
        const after = decodeCursor(query.cursor);
        const is = (column: string, value: string | undefined) =>
          value === undefined ? db`` : db`and ${db(column)} = ${value}`;
        const rows = await db<CallRow[]>`
          select call_id, called_at, agent_id, operation, status, error_code, request_id, latency_ms
          from agent_calls
          where merchant_id = ${principal.merchantId}
            ${principal.kind === 'agent' ? is('agent_id', principal.agentId) : db``}
            ${is('agent_id', query.agent_id)} ${is('operation', query.operation)}
            ${is('error_code', query.error_code)} ${is('request_id', query.request_id)}
            ${after ? db`and (called_at, call_id) < (${after.createdAt}, ${after.id})` : db``}
          order by called_at desc, call_id desc limit ${query.limit + 1}`;
        const page = toPage(rows, query.limit, (row) => ({ createdAt: row.called_at, id: row.call_id }));
        return {
          calls: page.items.map(({ call_id, called_at, ...row }) => ({
            called_at: toTimestamp(called_at),
            ...row,
          })),
          next_cursor: page.nextCursor,
        };
      },
    }),
  ],
  retention: [
    forgetAfter(RETENTION.agentCalls.days * DAY_MS, {
      name: 'request log',
      table: 'agent_calls',
      key: 'call_id',
      time: 'called_at',
    }),
  ],
});
