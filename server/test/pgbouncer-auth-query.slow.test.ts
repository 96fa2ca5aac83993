// Slow: makes a PostgreSQL with passwords, and starts services on it.
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HAS_PGBOUNCER, startPgBouncer } from '@payassent/proof/database/pgbouncer';
import { HAS_SERVER_PROGRAMS, onServer, openServer, startPrimary } from '@payassent/proof/database/servers';
import { startProcess } from '@payassent/proof/service/process';
import { freePort } from '@payassent/proof/service/service';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../src/db/open.ts';

const DOCUMENT = new URL('../../docs/operators/database.md', import.meta.url);
const PASSWORD = 'a long password';

/** Only the superuser is let in without a password. */
const ACCESS = `
local all all trust
host all postgres 127.0.0.1/32 trust
host all all 127.0.0.1/32 scram-sha-256
`;

/** The commands and settings of the document. */
async function recipe(): Promise<{ sql: string; settings: Record<string, string> }> {
  const text = await readFile(DOCUMENT, 'utf8');
  const [, sql = ''] = /```sql\n(create role pgbouncer[\s\S]*?)```/.exec(text) ?? [];
  const [, ini = ''] = /```ini\n(auth_type[\s\S]*?)```/.exec(text) ?? [];
  const settings = [...ini.matchAll(/^(\w+) = (.*)$/gm)].map(([, name = '', value = '']) => [name, value]);
  return { sql, settings: Object.fromEntries(settings) };
}

async function serverWithPasswords() {
  // PostgreSQL does not run as root, and may not reach the folder that the tests keep their files in.
  const folder = await mkdtemp('/tmp/pooled-');
  await chmod(folder, 0o755);
  const server = await startPrimary(folder);
  onTestFinished(async () => {
    await server.kill();
    await rm(folder, { recursive: true });
  });
  await writeFile(join(folder, 'primary/pg_hba.conf'), ACCESS);
  await onServer(server, async (db) => {
    await db.unsafe(`create role payassent login createrole password '${PASSWORD}'`);
    await db.unsafe('create database payassent owner payassent');
    await db`select pg_reload_conf()`;
  });
  return server;
}

describe.runIf(HAS_PGBOUNCER && HAS_SERVER_PROGRAMS)(
  'PgBouncer with the recipe of the document (needs PostgreSQL of Debian and the program pgbouncer)',
  () => {
    it('lets in the roles whose passwords only the service knows, by their passwords, and no other role', async () => {
      const server = await serverWithPasswords();
      const { sql, settings } = await recipe();
      const superuser = openServer({ ...server, database: 'payassent' }, 1);
      onTestFinished(() => superuser.end());
      await superuser.unsafe(sql);
      const at = (port: number, password = PASSWORD) =>
        `postgres://payassent:${encodeURIComponent(password)}@127.0.0.1:${port}/payassent`;
      const pooler = await startPgBouncer(
        at(server.port),
        { pool_mode: 'session', ...settings },
        { pgbouncer: PASSWORD },
      );
      onTestFinished(() => pooler.close());
      const env = {
        DATABASE_URL: pooler.url,
        SVC_MASTER_KEY: Buffer.alloc(32, 5).toString('base64'),
        SVC_PORT: String(await freePort()),
      };
      const service = await startProcess(env, { readyWithinMs: 120_000 });
      onTestFinished(async () => void (await service.end('SIGTERM')));
      expect((await service.call('GET', '/health')).body.privileges).toBe('separate');
      const logins = await superuser<{ name: string; verifier: string | null }[]>`
        select rolname::text as name, (select passwd from pgbouncer.verifier(rolname::text)) as verifier
        from pg_roles where rolcanlogin`;
      const shown = logins.filter(({ verifier }) => verifier !== null).map(({ name }) => name);
      expect(shown.filter((name) => !name.startsWith('cs_payassent_'))).toEqual(['payassent']);
      expect(shown.length).toBe(3);
      expect(logins.map(({ name }) => name)).toContain('postgres');

      const wrong = new URL(pooler.url);
      wrong.password = 'another password';
      const stranger = openDatabase({ url: wrong.href }, { pool: 1 });
      onTestFinished(() => stranger.end());
      await expect(stranger`select 1`).rejects.toThrow(/authentication failed/);
    }, 300_000);
  },
);
