// Slow: upgrades a cluster of an older PostgreSQL.
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { framesOf, readStored } from '@payassent/proof/database/stored-database';
import { hashesIn, storeSpellings } from '@payassent/proof/database/stored-spellings';
import { type PayAssent, payassent } from '@payassent/proof/service/command';
import { freePort } from '@payassent/proof/service/service';
import { canonicalTxHash } from '@payassent/protocol';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { SQL_FOLDER } from '../../server/src/context.ts';
import { driverOptions, startEmbeddedPostgres } from '../../server/src/db/embedded/index.ts';
import { migrate } from '../../server/src/db/migrate.ts';
import { type Database, openDatabase } from '../../server/src/db/open.ts';
import { load } from '../../server/src/maintenance/backup/load.ts';

/** Debian's; the only other major version that is here without a network. */
const FORMER = { major: '15', root: '/usr/lib/postgresql/15' };
const isThere = existsSync(join(FORMER.root, 'bin', 'initdb'));

let cli: PayAssent;
let dataDir: string;
beforeAll(async () => {
  cli = await payassent();
});
afterAll(() => cli.remove());
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'payassent-upgrade-'));
  return () => rm(dataDir, { recursive: true, force: true });
});

async function within<T>(binaries: string | undefined, look: (db: Database) => Promise<T>): Promise<T> {
  const own = binaries === undefined ? {} : { binaries: { root: binaries, packageVersion: 'former' } };
  const server = await startEmbeddedPostgres({ dataDir, log: () => {}, ...own });
  const { user, ...place } = driverOptions(server);
  const db = openDatabase({ ...place, username: user }, { pool: 1, patient: true });
  try {
    return await look(db);
  } finally {
    await db.end({ timeout: 1 });
    await server.stop();
  }
}

it.runIf(isThere)(
  'an embedded database of another major version is refused with the command that upgrades it, which keeps every row (needs PostgreSQL 15 of Debian)',
  async () => {
    const env = { SVC_DATA_DIR: dataDir, SVC_PORT: String(await freePort()) };
    const seal = (db: Database) => db<{ key: Buffer }[]>`select key from tenant_seal`;
    const made = await within(FORMER.root, async (db) => {
      await migrate(db, SQL_FOLDER);
      await db`insert into rate_budgets (name, subject, uses, leases, expires_at)
        select 'kept', n::text, to_jsonb(E'ü\\n\\t\\\\N'::text), '{}', now() from generate_series(1, 5000) n`;
      return seal(db);
    });
    const refused = await cli.here(['migrate'], { env });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('payassent upgrade-database');
    const wrong = await cli.here(['upgrade-database', '--binaries', join(dataDir, 'nothing')], { env });
    expect(wrong.code).toBe(1);

    const upgraded = await cli(['upgrade-database', '--binaries', FORMER.root, '--json'], { env });
    expect(upgraded.code, upgraded.stderr).toBe(0);
    expect(upgraded.lines[0]).toMatchObject({
      from: FORMER.major,
      former: `${join(dataDir, 'postgres')}.15`,
    });
    expect(upgraded.lines[0].rows).toBeGreaterThan(5000);
    const left = (await readdir(dataDir)).filter((name) => /bin|init/.test(name));
    expect(left.filter((name) => name.includes('given'))).toEqual([]);
    await within(undefined, async (db) => {
      expect(await seal(db)).toEqual(made);
      const rows = await db`select distinct uses from rate_budgets where name = 'kept'`;
      expect(rows).toEqual([{ uses: 'ü\n\t\\N' }]);
      const [{ version } = {}] =
        await db`select current_setting('server_version_num')::int / 10000 as version`;
      expect(version).toBeGreaterThan(15);
    });
    expect((await cli.here(['upgrade-database', '--json'], { env })).lines[0]).toMatchObject({
      former: null,
    });
    expect((await cli.here(['migrate'], { env })).code).toBe(0);

    // A machine that stopped between the two last steps.
    await rename(join(dataDir, 'postgres'), join(dataDir, 'away'));
    const interrupted = await cli.here(['migrate'], { env });
    expect(interrupted.stderr).toContain('an upgrade was interrupted. Rename postgres.15 to postgres');
    expect(await readdir(dataDir)).not.toContain('postgres');
  },
  600_000,
);

const STORED = new URL('../../server/test/fixtures/schema-0046.jsonl', import.meta.url);

it.runIf(isThere)(
  'an embedded database of another major version and an earlier schema keeps what wallets reported, their keys, and what was final (needs PostgreSQL 15 of Debian)',
  async () => {
    const env = {
      SVC_DATA_DIR: dataDir,
      SVC_PORT: String(await freePort()),
      SVC_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    };
    const { respelt, hashes } = await within(FORMER.root, async (db) => {
      await load(db, framesOf(readStored(STORED)));
      return { respelt: await storeSpellings(db), hashes: await hashesIn(db) };
    });
    const upgraded = await cli(['upgrade-database', '--binaries', FORMER.root, '--json'], { env });
    expect(upgraded.code, upgraded.stderr).toBe(0);
    const migrated = await cli.here(['migrate'], { env });
    expect(migrated.code, migrated.stderr).toBe(0);
    await within(undefined, async (db) => {
      const canonical = hashes.map((row) => ({ ...row, tx_hash: canonicalTxHash(row.network, row.tx_hash) }));
      expect(await hashesIn(db)).toEqual(canonical);
      const { walletId } = respelt.device;
      const keys = await db`
        select thumbprint from decision_keys where wallet_id = ${walletId} and ended_at is null`;
      expect([...keys]).toEqual([{ thumbprint: respelt.keyed?.key.thumbprint }]);
      const claims =
        await db`select tx_hash from settlement_claims where record_id = ${respelt.finalId ?? ''}`;
      expect([...claims]).toEqual([{ tx_hash: respelt.requests[0]?.stored.toLowerCase() }]);
    });
  },
  600_000,
);
