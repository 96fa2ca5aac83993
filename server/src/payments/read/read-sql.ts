import { compiled } from '../../db/compiled.ts';
import { ofMerchant } from '../../db/layout.ts';
import type { Sql } from '../../db/open.ts';
import { fromTextList, textList } from '../../db/text-list.ts';
import { createMemory, type Memory } from '../../lib/memory.ts';
import type { CallerPermission } from '../../principals.ts';
import { isEnded, isRecalled } from '../close/when-ended.ts';
import {
  fromPermissions,
  joinPermission,
  PERMISSION_COLUMNS,
  type PermissionLists,
  permissionLists,
} from '../permissions/authorize-sql.ts';
import { RECORD_JSON, RECORD_MARK } from '../record/record-json.ts';
import { LISTED_COLUMNS, type ListedRow } from './list-sql.ts';

export interface AgentRead {
  permission: CallerPermission;
  requestId: string;
}

export interface ReadRow {
  /** With its links; null when the connection has no such request. */
  record: string | null;
  is_ended: boolean | null;
}

/** A record's text, which the database need not write again while its mark and the version are unchanged. */
interface RecordText {
  version: string;
  mark: string;
  record: string;
}

/** At most 16 MiB in all. */
const MAX_TEXTS = 4096;
const MAX_TEXT_LENGTH = 4096;

export function createRecordTexts(): Memory<RecordText> {
  return createMemory(MAX_TEXTS);
}

/**
 * Reads for any callers in one statement; undefined where the permission is no longer the given one. Version and mark
 * are read each time, so a cached text is never older than the database. `finish` makes a record into what is cached
 * and returned.
 */
export async function readForAgents(
  sql: Sql,
  reads: readonly AgentRead[],
  texts: Memory<RecordText>,
  finish: (record: string) => string,
  now: Date,
): Promise<(ReadRow | undefined)[]> {
  const permissions = reads.map(({ permission }) => permission);
  const names = reads.map(({ permission, requestId }) => `${permission.connectionId} ${requestId}`);
  const known = names.map((name, n) => {
    const text = texts.get(name);
    return text?.version === permissions[n]?.version ? text : undefined;
  });
  const asked = {
    ...permissionLists(permissions),
    marks: textList(known.map((text) => text?.mark)),
    // Ids may contain any character.
    ids: JSON.stringify(reads.map(({ requestId }) => requestId)),
    now,
  };
  const answersOf = (rows: readonly MarkedRow[]) => {
    const answers: (ReadRow | undefined)[] = reads.map(() => undefined);
    for (const row of rows) {
      const { mark } = row;
      const n = row.n - 1;
      if (mark !== null && row.record === null) row.record = known[n]?.record ?? null;
      else if (mark !== null && row.record !== null) {
        row.record = finish(row.record);
        const { version } = permissions[n] as CallerPermission;
        if (row.record.length <= MAX_TEXT_LENGTH)
          texts.set(names[n] as string, { version, mark, record: row.record });
      }
      answers[n] = row;
    }
    return answers;
  };
  if (known.every((text) => text !== undefined)) {
    const rows = await READ_STATEMENTS.marks(sql, asked);
    const isSame = ({ n, mark }: MarkedRow) => mark === null || mark === known[n - 1]?.mark;
    if (rows.every(isSame)) return answersOf(rows);
  }
  return answersOf(await READ_STATEMENTS.records(sql, asked));
}

interface Asked extends PermissionLists {
  marks: string;
  ids: string;
  now: Date;
}

interface MarkedRow extends ReadRow {
  n: number;
  mark: string | null;
}

/** Preparing the part that writes records costs each statement 50 µs, even where no record is written. */
const READ_STATEMENTS = {
  marks: readStatement('marks'),
  records: readStatement('records'),
};

function readStatement(what: 'marks' | 'records') {
  return compiled<MarkedRow, Asked>((sql, asked) => {
    const record =
      what === 'marks'
        ? sql`null::text`
        : sql`case when m.mark is distinct from i.known_mark then ${sql.unsafe(RECORD_JSON)} end`;
    return sql`
    select i.n, r.is_ended, r.mark, r.record
    from rows from (${fromPermissions(sql, asked)}, ${fromTextList(sql, asked.marks)},
          json_array_elements_text(${asked.ids}::text::json))
        with ordinality as i(${sql.unsafe(PERMISSION_COLUMNS)}, known_mark, request_id, n)
      ${joinPermission(sql)}
      left join lateral (
        -- Connection and agent are alive: only time and a recall can have ended it.
        select r.status = 'pending'
                 and (r.expires_at < ${asked.now} or i.recalls is not null and ${sql.unsafe(isRecalled('r'))}) as is_ended,
               m.mark, ${record} as record
        from payment_requests r cross join lateral (select ${sql.unsafe(RECORD_MARK)} as mark offset 0) m
        where r.merchant_id = i.merchant_id and r.request_id = i.request_id and r.connection_id = i.connection_id
        limit 1
      ) r on true`;
  });
}

/** Every request of the organization with this id; more than one when two of its connections have it. */
export async function findForMerchant(
  sql: Sql,
  merchantId: string,
  choice: { requestId: string; connectionId: string | null },
  now: Date,
): Promise<ListedRow[]> {
  const own = ofMerchant(sql, merchantId);
  return own<ListedRow[]>`
    select ${own.unsafe(LISTED_COLUMNS)}, ${isEnded(own, now)} as is_ended
    from payment_requests r
    where r.merchant_id = ${merchantId} and r.request_id = ${choice.requestId}
      and r.connection_id = coalesce(${choice.connectionId}::id, r.connection_id)
    order by r.connection_id limit 2`;
}
