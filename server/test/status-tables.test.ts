import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDistributedRun } from '@payassent/proof/database/layout';
import { TABLE_OF } from '@payassent/proof/database/status-watch';
import { verifiedMerchant } from '@payassent/proof/people/merchants';
import { startService, type TestService } from '@payassent/proof/service/service';
import { MACHINE_NAMES } from '@payassent/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const FEATURES = fileURLToPath(new URL('../src/', import.meta.url));

/** Every statement of the service that sets a status, with the function that it is in. */
function statusUpdates(): { where: string; text: string; within: string }[] {
  const start = new RegExp(`update (?:${Object.values(TABLE_OF).join('|')})\\b`, 'g');
  return readdirSync(FEATURES, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const source = readFileSync(`${FEATURES}${file}`, 'utf8');
      return [...source.matchAll(start)].map(({ index }) => {
        const end = source.indexOf('\n}', index);
        const text = source.slice(index, end);
        const within = source.slice(Math.max(0, source.lastIndexOf('\n}', index)), end);
        return { within, text, where: `${file}:${source.slice(0, index).split('\n').length}` };
      });
    })
    .filter(({ text }) =>
      /\bstatus = (?!any)/.test(text.slice(text.indexOf('set '), text.search(/\bwhere\b|\bfrom /))),
    );
}

describe('the state tables decide', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());

  it('every statement that sets a status takes the states it may come from out of the table', () => {
    const found = statusUpdates();
    expect(found.length).toBeGreaterThanOrEqual(25);
    // The report of a wallet uses the result of `allowedFrom` for its status.
    const isGuarded = (text: string) => text.includes('mayBecome(') || text.includes('[...report.from]');
    expect(found.filter(({ within }) => !isGuarded(within)).map(({ where }) => where)).toEqual([]);
  });

  // Citus takes no trigger that watches a distributed table.
  it.skipIf(isDistributedRun)(
    'in every test, a move of the service that no table has would fail',
    async () => {
      const { merchantId } = await verifiedMerchant(service);
      const back = service.context
        .db`update merchants set status = 'pending' where merchant_id = ${merchantId}`;
      await expect(back).rejects.toThrow('no state table of merchants has the move active>pending');
      const watched = await service.db<{ table: string }[]>`
      select t.tgrelid::regclass::text as table from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where t.tgname = 'watch_moves' and not c.relispartition`;
      expect(watched.map(({ table }) => table).sort()).toEqual(
        MACHINE_NAMES.map((name) => TABLE_OF[name]).sort(),
      );
    },
  );
});
