// The audit trail: who did what in the installation, and the chain of hashes over it. Every feature imports `record`;
// the host's commands import `verify-chain`. An entry commits with the act that it records, and every later change of
// it is detected.

import * as api from '@payassent/protocol/api';
import type { Context } from '../../context.ts';
import type { Sql } from '../../db/open.ts';
import type { Document } from '../../http/document.ts';
import { implement, type Route } from '../../http/route.ts';
import { SECOND_MS, toTimestamp } from '../../lib/clock.ts';
import { decodeCursor, type Position, toPage } from '../../page.ts';
import type { Feature } from '../feature.ts';
import { type AuditRow, auditView, hashText } from './chain.ts';
import { chainJob } from './chain-job.ts';
import { readHead } from './chain-sql.ts';
import { purgeAuditEvents } from './retention.ts';

export const auditFeature = (): Feature => ({
  name: 'audit',
  routes: auditRoutes,
  documents: [auditHeadDocument()],
  jobs: [chainJob],
  retention: [{ name: 'audit', tables: ['audit_events', 'audit_chain'], purge: purgeAuditEvents }],
});

interface AuditFilter {
  type?: string;
  target_id?: string;
  limit: number;
  cursor?: string;
}

type Reader = { merchantId: string } | { walletId: string };

function selectEntries(sql: Sql, reader: Reader, filter: AuditFilter) {
  const after = decodeCursor(filter.cursor);
  const isReaders =
    'walletId' in reader ? sql`e.wallet_id = ${reader.walletId}` : sql`e.merchant_id = ${reader.merchantId}`;
  return sql<(AuditRow & { merchant_name: string | null })[]>`
    select e.*, m.name as merchant_name
    from audit_events e left join merchants m on m.merchant_id = e.merchant_id
    where ${isReaders}
      ${filter.type === undefined ? sql`` : sql`and e.type = ${filter.type}`}
      ${filter.target_id === undefined ? sql`` : sql`and e.target_id = ${filter.target_id}`}
      ${after ? sql`and (e.occurred_at, e.audit_event_id) < (${after.createdAt}, ${after.id})` : sql``}
    order by e.occurred_at desc, e.audit_event_id desc
    limit ${filter.limit + 1}`;
}

const positionOf = (row: AuditRow): Position => ({ createdAt: row.occurred_at, id: row.audit_event_id });

const auditRoutes: readonly Route[] = [
  implement(api.listAuditEvents, {
    async run({ context: { db }, principal, query }) {
      const rows = await selectEntries(db, { merchantId: principal.merchantId }, query);
      const page = toPage(rows, query.limit, positionOf);
      return { audit_events: page.items.map(auditView), next_cursor: page.nextCursor };
    },
  }),
  implement(api.listWalletAuditEvents, {
    async run({ context: { db }, principal, query }) {
      const rows = await selectEntries(db, { walletId: principal.walletId }, query);
      const page = toPage(rows, query.limit, positionOf);
      return { audit_events: page.items.map(walletView), next_cursor: page.nextCursor };
    },
  }),
];

const MERCHANT_SIDE = new Set(['operator', 'admin_session', 'api_key']);

/**
 * A wallet knows a merchant by its name; the merchant's staff and their keys are not shown. It knows its own devices by
 * their ids.
 */
function walletView(row: AuditRow & { merchant_name: string | null }) {
  const view = auditView(row);
  if (MERCHANT_SIDE.has(row.actor_kind))
    return { ...view, actor: { kind: 'merchant', id: row.merchant_name ?? '' } };
  return { ...view, actor: { ...view.actor, id: row.device_id ?? row.actor_id } };
}

/** Any caller may request it, so one query serves all within this time. */
const REMEMBERED_MS = SECOND_MS;

/**
 * The head of the audit chain, for any party that wants to keep it: with a copy outside the database, the trail cannot
 * be rewritten unnoticed. It has no position, so that it does not reveal the volume of the installation.
 */
function auditHeadDocument(): Document {
  const remembered = new WeakMap<Context, { atMs: number; body: Promise<string> }>();
  return {
    method: 'GET',
    path: '/.well-known/svc-audit-head.json',
    async serve(context) {
      const known = remembered.get(context);
      if (known && performance.now() - known.atMs < REMEMBERED_MS) return toAnswer(await known.body);
      const body = readBody(context);
      remembered.set(context, { atMs: performance.now(), body });
      body.catch(() => remembered.delete(context));
      return toAnswer(await body);
    },
  };
}

function toAnswer(body: string) {
  return { contentType: 'application/json; charset=utf-8', body };
}

async function readBody({ db }: Context): Promise<string> {
  const { published_hash: hash, published_at: at } = await readHead(db);
  return JSON.stringify({ head: hash && at ? { hash: hashText(hash), at: toTimestamp(at) } : null });
}
