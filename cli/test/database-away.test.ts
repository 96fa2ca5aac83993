import { createServer } from 'node:net';
import { createDatabase } from '@payassent/proof/database/database';
import { type PayAssent, payassent } from '@payassent/proof/service/command';
import { freePort } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

let cli: PayAssent;
beforeAll(async () => {
  cli = await payassent();
});
afterAll(() => cli.remove());

/** Every command of the host that works on the database, but `serve`, which waits for it, and `doctor`, which reports. */
const COMMANDS = [
  ['migrate'],
  ['migrate', '--partitions', '64'],
  ['distribute'],
  ['audit', 'verify'],
  ['keys', 'status'],
  ['keys', 'rotate'],
  ['suspend', 'merchant', 'mer_0000000000ABCDEFGHJKMNPQRS'],
  ['team', 'reset-passkeys', 'someone@shop.example'],
  ['backup', '/nowhere/payassent.backup'],
];

/** Takes connections, refuses TLS as PostgreSQL does, and goes. */
async function withoutTls(): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end('N'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as { port: number }).port;
}

describe('a database that a command cannot reach', () => {
  const PLACES = {
    'nobody listens': async () => `postgres://app@127.0.0.1:${await freePort()}/pay`,
    'no such host': async () => 'postgres://app@nowhere.invalid/pay',
    'no TLS': async () => `postgres://app@127.0.0.1:${await withoutTls()}/pay?sslmode=require`,
    'no such role': async () => {
      const database = await createDatabase({ empty: true });
      onTestFinished(() => database.drop());
      const url = new URL(database.url);
      url.username = 'no_such_role';
      return url.href;
    },
  };

  it.each(Object.keys(PLACES) as (keyof typeof PLACES)[])(
    'is reported in one sentence by every command (%s)',
    async (place) => {
      const env = {
        DATABASE_URL: await PLACES[place](),
        SVC_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
        PAYASSENT_BACKUP_PASSPHRASE: 'correct horse battery staple',
      };
      for (const command of COMMANDS) {
        const { code, stderr } = await cli.here(command, { env });
        expect([command.join(' '), code, stderr]).toEqual([
          command.join(' '),
          3,
          expect.stringMatching(/^unavailable: The database .*\(.+\)\. Check that the server runs.*\n$/),
        ]);
      }
    },
  );

  it('is reported to programs too', async () => {
    const env = {
      DATABASE_URL: await PLACES['nobody listens'](),
      SVC_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    };
    const { code, lines } = await cli.here(['migrate', '--json'], { env });
    expect([code, lines[0]]).toMatchObject([3, { ok: false, error: { code: 'unavailable' } }]);
  });
});
