import { AUDIT_EVENT_TYPES } from '@countersign/protocol';
import { Type } from 'typebox';
import type { Database } from '../../db/open.ts';
import type { Feature } from '../../feature.ts';
import { decodeCursor, PAGE_QUERY, toPage } from '../../http/page.ts';
import { defineRoute } from '../../http/route.ts';
import { DAY_MS } from '../../lib/clock.ts';

const RETENTION_DAYS = 400;

interface AuditRow {
  audit_event_id: string;
  type: string;
  actor_kind: string;
  actor_id: string;
  target_type: string;
  target_id: string;
  details: Record<string, unknown>;
  request_id: string;
  occurred_at: Date;
}

const AuditEvent = Type.Object({
  audit_event_id: Type.String(),
  type: Type.Unsafe<string>({ type: 'string', enum: [...AUDIT_EVENT_TYPES] }),
  actor: Type.Object({ kind: Type.String(), id: Type.String() }),
  target: Type.Object({ type: Type.String(), id: Type.String() }),
  details: Type.Object({}, { additionalProperties: true }),
  request_id: Type.String(),
  occurred_at: Type.String({ format: 'date-time' }),
});

function view(row: AuditRow) {
  return {
    audit_event_id: row.audit_event_id,
    type: row.type,
    actor: { kind: row.actor_kind, id: row.actor_id },
    target: { type: row.target_type, id: row.target_id },
    details: row.details,
    request_id: row.request_id,
    occurred_at: row.occurred_at.toISOString(),
  };
}

export const auditFeature: Feature = {
  name: 'audit',
  routes: [
    defineRoute({
      method: 'GET',
      path: '/v1/audit-events',
      summary: 'List what changed a right or a secret in this organization',
      tag: 'Audit',
      credential: ['merchant'],
      limit: 'reads',
      query: Type.Object({
        ...PAGE_QUERY,
        type: Type.Optional(Type.String()),
        target_id: Type.Optional(Type.String()),
      }),
      answer: Type.Object({
        audit_events: Type.Array(AuditEvent),
        next_cursor: Type.Union([Type.String(), Type.Null()]),
      }),
      async run({ context, principal, query }) {
        const { db } = context;
        const after = decodeCursor(query.cursor);
        const rows = await db<AuditRow[]>`
          select * from audit_events
          where merchant_id = ${principal.merchantId}
            ${query.type === undefined ? db`` : db`and type = ${query.type}`}
            ${query.target_id === undefined ? db`` : db`and target_id = ${query.target_id}`}
            ${after ? db`and (occurred_at, audit_event_id) < (${after.createdAt}, ${after.id})` : db``}
          order by occurred_at desc, audit_event_id desc
          limit ${query.limit + 1}`;
        const page = toPage(rows, query.limit, (row) => ({
          createdAt: row.occurred_at,
          id: row.audit_event_id,
        }));
        return { audit_events: page.items.map(view), next_cursor: page.nextCursor };
      },
    }),
  ],
  retention: [{ name: 'audit', purge: purgeAuditEvents }],
};

/** The table refuses deletes; only the owner of this setting, within its own transaction, may forget old rows. */
async function purgeAuditEvents(db: Database, now: Date, limit: number): Promise<number> {
  const before = new Date(now.getTime() - RETENTION_DAYS * DAY_MS);
  const result = await db.begin(async (sql) => {
    await sql`select set_config('svc.audit_retention', 'on', true)`;
    return sql`
      delete from audit_events where audit_event_id in (
        select audit_event_id from audit_events where occurred_at < ${before} order by occurred_at limit ${limit})`;
  });
  return result.count;
}
