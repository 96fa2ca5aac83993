import { migrationState } from './migrate.ts';
import {
  bareOf,
  isConcurrent,
  type Migration,
  NO_TRANSACTION,
  readMigrations,
  statementsIn,
} from './migrations.ts';
import type { Database } from './open.ts';

/**
 * What a step costs calls. `catalogue`: a lock that excludes them, for milliseconds, however large the table is.
 * `builds`: the table is read while calls continue. `batches`: a commit after each thousand rows or fewer. `rows`: a
 * call that changes one of its rows waits until all are done. `blocks`: calls wait while the table is read or written.
 */
const STEP_KINDS = ['catalogue', 'builds', 'batches', 'rows', 'blocks'] as const;
export type StepKind = (typeof STEP_KINDS)[number];

export interface Step {
  kind: StepKind;
  /** Only tables that existed before: a table the migration creates delays no call. */
  tables: string[];
}

interface Surroundings {
  made: ReadonlySet<string>;
  /** Columns without a null, as a validated constraint guarantees. */
  full: ReadonlySet<string>;
  tableOfIndex: ReadonlyMap<string, string>;
}

const NAME = '"?([a-z_][a-z0-9_]*)"?';
const nameIn = (text: string, pattern: string): string | undefined =>
  new RegExp(pattern, 'i').exec(text)?.[1];
const namesIn = (text: string, pattern: string): string[] =>
  [...text.matchAll(new RegExp(pattern, 'gi'))].map(([, name = '']) => name);
const pairsIn = (text: string, pattern: string): [string, string][] =>
  [...text.matchAll(new RegExp(pattern, 'gi'))].map(([, one = '', other = '']) => [one, other]);

const CREATE_INDEX = 'create (?:unique )?index (?:concurrently )?(?:if not exists )?';

/** What a migration does to existing tables, statement by statement. */
export function stepsOf(migrations: readonly Migration[], { sql }: Migration): Step[] {
  const text = bareOf(sql);
  const surroundings = {
    made: new Set(namesIn(text, `create (?:temporary )?table (?:if not exists )?${NAME}`)),
    full: new Set(
      pairsIn(text, `alter table ${NAME} add constraint \\S+ check \\(${NAME} is not null\\) not valid`).map(
        (pair) => pair.join('.'),
      ),
    ),
    tableOfIndex: new Map(
      migrations.flatMap((each) => pairsIn(bareOf(each.sql), `${CREATE_INDEX}${NAME} on ${NAME}`)),
    ),
  };
  const steps = statementsIn(sql).map((statement) => stepsOfStatement(statement, surroundings));
  const held = NO_TRANSACTION.test(sql) ? steps.map(underLocks) : [underLocks(steps.flat())];
  return held.flat().filter(({ tables }) => tables.length > 0);
}

/** A transaction keeps its locks: it changes rows under all locks that it has taken. */
function underLocks(steps: readonly Step[]): Step[] {
  const locked = new Set<string>();
  return steps.map((step) => {
    if (step.kind === 'rows' && locked.size > 0) return { kind: 'blocks', tables: [...locked] };
    if (step.kind === 'catalogue' || step.kind === 'blocks')
      for (const table of step.tables) locked.add(table);
    return step;
  });
}

function stepsOfStatement(statement: string, surroundings: Surroundings): Step[] {
  const text = bareOf(statement);
  if (!/^do /i.test(text)) return stepsOfText(text, surroundings);
  if (/\bcommit;/i.test(text)) {
    const tables = [...changedIn(text, surroundings), ...namesIn(text, `\\bfrom ${NAME}`)];
    return [{ kind: 'batches', tables: [...new Set(tables)] }];
  }
  const body = text.replace(/^do \$\w*\$ (declare .*?)?begin /i, '');
  return body.split(/; |\bthen /i).flatMap((part) => stepsOfText(part.trim(), surroundings));
}

function stepsOfText(text: string, surroundings: Surroundings): Step[] {
  const step = (kind: StepKind, ...tables: (string | undefined)[]): Step[] => [
    {
      kind,
      tables: tables.filter((table) => table !== undefined && !surroundings.made.has(table)) as string[],
    },
  ];
  const index =
    nameIn(text, `^${CREATE_INDEX}\\S+ on ${NAME}`) ??
    surroundings.tableOfIndex.get(nameIn(text, `^drop index (?:concurrently )?(?:if exists )?${NAME}`) ?? '');
  const altered = nameIn(text, `^alter table ${NAME}`);
  if (/^drop index concurrently /i.test(text)) return [];
  if (isConcurrent(text)) return step('builds', altered ?? index);
  if (index !== undefined) return step(/^create/i.test(text) ? 'blocks' : 'catalogue', index);
  if (altered !== undefined)
    return step(readsAllRows(text, altered, surroundings) ? 'blocks' : 'catalogue', altered);
  if (/^(create|drop) (or replace )?(constraint )?trigger /i.test(text))
    return step('catalogue', nameIn(text, ` on ${NAME}`));
  if (/^create table /i.test(text))
    return step('catalogue', ...new Set(namesIn(text, `\\breferences ${NAME}`)));
  if (/^drop table /i.test(text))
    return step('catalogue', nameIn(text, `^drop table (?:if exists )?${NAME}`));
  if (/^(vacuum|cluster|reindex|lock|truncate|refresh) /i.test(text))
    return [{ kind: 'blocks', tables: [text] }];
  if (/^insert .*\bselect\b/i.test(text)) return [{ kind: 'rows', tables: [] }];
  if (/^(update|delete|with) /i.test(text)) return step('rows', ...changedIn(text, surroundings));
  return [];
}

function changedIn(text: string, { made }: Surroundings): string[] {
  const names = [
    ...namesIn(text, `\\bupdate ${NAME} (?:\\w+ )?set\\b`),
    ...namesIn(text, `\\bdelete from ${NAME}`),
    ...namesIn(text, `\\binsert into ${NAME}`),
  ];
  return [...new Set(names)].filter((name) => !made.has(name));
}

/** The forms of `alter table` that read or rewrite all rows under their lock. */
function readsAllRows(text: string, table: string, { full }: Surroundings): boolean {
  const actions = text
    .split(/, (?=(?:add|drop|alter) )/i)
    .map((part) => part.replace(/^alter table \S+ /i, ''));
  return actions.some((action) => {
    if (/^add column /i.test(action))
      return /\bcheck \(|\breferences |\bunique\b|\bprimary key\b|\bgenerated |serial\b|\bdefault \(?(?!now|current_|pg_)\w+\(/i.test(
        action,
      );
    if (/^add /i.test(action)) return !/\bnot valid$|\busing index \S+$/i.test(action);
    const filled = nameIn(action, `^alter column ${NAME} set not null`);
    // Constraints are dropped before the column is examined.
    const isKnown =
      full.has(`${table}.${filled}`) && !actions.some((each) => /^drop constraint /i.test(each));
    if (filled !== undefined) return !isKnown;
    return /^alter column \S+ (set data )?type\b|^set (logged|unlogged|tablespace|access)\b/i.test(action);
  });
}

export interface PlannedTable {
  name: string;
  rows: number;
  bytes: number;
}

export interface PlannedStep {
  kind: StepKind;
  tables: PlannedTable[];
  /** Duration, extrapolated from a million rows on two shared cores. */
  seconds: number;
}

export interface MigrationPlan {
  schema: number;
  newest: number;
  pending: { name: string; steps: PlannedStep[] }[];
}

/** Of one pass over a million rows, as `npm run drill -- upgrade` measures it. */
const SECONDS_A_MILLION: Readonly<Record<StepKind, number>> = {
  catalogue: 0,
  builds: 6,
  batches: 50,
  rows: 25,
  blocks: 25,
};

/** What the pending migrations would do to this database. Changes nothing. */
export async function planMigrations(db: Database, folder: URL): Promise<MigrationPlan> {
  const { known, missing } = await migrationState(db, folder);
  const level = missing === undefined ? known : Number(missing.slice(0, 4)) - 1;
  const migrations = await readMigrations(folder);
  const sizes = await sizesOf(db);
  const pending = migrations.slice(level).map((migration) => ({
    name: migration.name,
    steps: gathered(stepsOf(migrations, migration)).map(({ kind, tables }) => {
      const found = tables.flatMap((name) => sizes.get(name) ?? []);
      const rows = found.reduce((sum, table) => sum + table.rows, 0);
      return { kind, tables: found, seconds: Math.ceil((rows * SECONDS_A_MILLION[kind]) / 1e6) };
    }),
  }));
  return {
    schema: level,
    newest: known,
    pending: pending.map(({ name, steps }) => ({
      name,
      steps: steps.filter(({ tables }) => tables.length > 0),
    })),
  };
}

/** Each kind once, with every table pass it makes. */
function gathered(steps: readonly Step[]): Step[] {
  return STEP_KINDS.map((kind) => ({
    kind,
    tables: steps.filter((step) => step.kind === kind).flatMap(({ tables }) => tables),
  }));
}

/** From the planner's estimates, so that nothing is counted. Partitions count for their table. */
async function sizesOf(db: Database): Promise<Map<string, PlannedTable>> {
  const rows = await db<PlannedTable[]>`
    select c.relname::text as name, sum(greatest(p.reltuples, 0))::float8 as rows,
           sum(pg_total_relation_size(p.oid))::float8 as bytes
    from pg_class c join pg_class p on p.oid = c.oid or p.oid in (select inhrelid from pg_inherits where inhparent = c.oid)
    where c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace
    group by c.relname`;
  return new Map(rows.map((row) => [row.name, row]));
}
