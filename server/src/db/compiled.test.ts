import { createDatabase, type TestDatabase } from '@payassent/proof/database/database';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compiled } from './compiled.ts';
import { type Database, openDatabase, type Sql, transaction } from './open.ts';

let database: TestDatabase;
let db: Database;
const sent: string[] = [];

beforeAll(async () => {
  database = await createDatabase({ empty: true });
  db = openDatabase(database.target, { pool: 1, onStatement: (text) => sent.push(text) });
});

afterAll(async () => {
  await db.end();
  await database.drop();
});

interface Parameters {
  least: number;
  names: string[];
  now: Date;
}

const CONSTANT = `'it''s'`;

/** Every way to assemble a statement. */
function build(sql: Sql, { least, names, now }: Parameters) {
  const within = (from: Parameters['least']) => sql`x.n >= ${from} and ${sql.unsafe('true')}`;
  return sql`
    select x.n, x.${sql('name')}, ${now}::timestamptz as at, ${sql.unsafe(CONSTANT)} as constant
    from (values (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd')) x(n, name)
    where ${within(least)} and x.name = any(${names}::text[]) ${sql``}`;
}

it('a statement that is put together once has the text, the values and the rows that it has otherwise', async () => {
  const parameters = { least: 2, names: ['a', 'b', 'd'], now: new Date('2026-01-02T03:04:05.678Z') };
  const run = compiled<{ n: number; name: string; at: Date; constant: string }, Parameters>(build);
  const rows = await run(db, parameters);
  const otherwise = await build(db, parameters);
  expect([...rows]).toEqual([...otherwise]);
  expect(rows.map(({ n, name, constant }) => [n, name, constant])).toEqual([
    [2, 'b', "it's"],
    [4, 'd', "it's"],
  ]);
  const [first, second] = sent.filter((text) => text.includes('any('));
  expect(first).toBe(second);
  expect(await transaction(db, async (tx) => (await run(tx, { ...parameters, least: 4 })).length)).toBe(1);
});

it('a value that is neither a parameter nor part of the text is refused when the statement is written, not sent', () => {
  expect(() => compiled((sql) => sql`select ${'1; drop table x'}`)).toThrow(/make it a parameter/);
  expect(() => compiled(() => 'select 1')).toThrow(/with the sql it is given/);
});
