import { isDistributedRun } from '@payassent/proof/database/layout';
import { serviceForTest } from '@payassent/proof/service/service';
import { expect, test } from 'vitest';
import { DISTRIBUTION_PLAN } from '../src/maintenance/distribution/plan.ts';

// What distributing itself adds is not of the schema.
test.skipIf(isDistributedRun)('the plan of distribution names every table of the schema once', async () => {
  const { db } = await serviceForTest({ jobs: false });
  const tables = await db<{ name: string }[]>`
    select c.relname::text as name from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`;
  const planned = Object.values(DISTRIBUTION_PLAN).flat();
  expect([...planned].sort()).toEqual(tables.map(({ name }) => name).sort());
});

test('every table of the group knows its merchant', async () => {
  const { db } = await serviceForTest({ jobs: false });
  const rows = await db<{ name: string }[]>`
    select a.attrelid::regclass::text as name from pg_attribute a
    where a.attrelid = any(${[...DISTRIBUTION_PLAN.group]}::regclass[]) and a.attname = 'merchant_id' and a.attnotnull`;
  expect(rows.map(({ name }) => name).sort()).toEqual([...DISTRIBUTION_PLAN.group].sort());
});
