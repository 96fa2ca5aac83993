import * as api from '@payassent/protocol/api';
import type { Sql } from '../../db/open.ts';
import { decodeCursor, type Position, toPage } from '../../http/page.ts';
import { implement, type Route } from '../../http/route.ts';
import { type AuditRow, auditView } from './view.ts';

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

export const auditRoutes: readonly Route[] = [
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
 * A wallet knows a merchant by its name; who works there, and with which key, is the merchant's matter. Its own devices
 * it knows by their ids.
 */
function walletView(row: AuditRow & { merchant_name: string | null }) {
  const view = auditView(row);
  if (MERCHANT_SIDE.has(row.actor_kind))
    return { ...view, actor: { kind: 'merchant', id: row.merchant_name ?? '' } };
  return { ...view, actor: { ...view.actor, id: row.device_id ?? row.actor_id } };
}
