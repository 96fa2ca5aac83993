// Long: starts processes whose machine's clock is off.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from '@payassent/proof/database/database';
import { startProcess } from '@payassent/proof/service/process';
import { freePort } from '@payassent/proof/service/service';
import { WalletClient } from '@payassent/sdk';
import { expect, it, onTestFinished } from 'vitest';

/** A machine with a wrong clock; PostgreSQL, in separate processes, has the right one. */
const wrongClock = (offMs: number) => `
  const { Date: Right } = globalThis;
  globalThis.Date = class Date extends Right {
    constructor(...parts) {
      if (parts.length === 0) super(Right.now() + ${offMs});
      else super(...parts);
    }
    static now() {
      return Right.now() + ${offMs};
    }
  };
`;

interface KeyTimes {
  use: string;
  created_at: string;
  retired_at: string | null;
}

it.each([
  ['ahead', 600_000],
  ['behind', -600_000],
])(
  'a process whose clock is ten minutes %s dates and expires by the clock of the database',
  async (_, offMs) => {
    const database = await createDatabase();
    onTestFinished(() => database.drop());
    const folder = await mkdtemp(join(tmpdir(), 'clock-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const script = join(folder, 'wrong-clock.cjs');
    await writeFile(script, wrongClock(offMs));
    const env = {
      DATABASE_URL: database.url,
      SVC_PORT: String(await freePort()),
      NODE_OPTIONS: `--require ${script}`,
    };
    const [formerKey, masterKey] = [5, 6].map((byte) => Buffer.alloc(32, byte).toString('base64'));
    const former = await startProcess({ ...env, SVC_MASTER_KEY: formerKey });
    await former.end('SIGTERM');
    const service = await startProcess({
      ...env,
      SVC_MASTER_KEY: masterKey,
      SVC_MASTER_KEY_PREVIOUS: formerKey,
    });
    onTestFinished(async () => void (await service.end('SIGTERM')));
    const { body } = await service.call('GET', '/health');
    expect(Math.abs(body.checks.clock_skew_ms + offMs)).toBeLessThan(60_000);
    const beforeMs = Date.now();
    const { client } = await WalletClient.enrol(
      { baseUrl: service.address },
      { name: 'Phone', platform: 'ios' },
    );
    const { expires_at } = await client.connectKeys.create();
    const { devices } = await client.devices.list();
    const madeMs = new Date(devices[0]?.created_at ?? '').getTime();
    expect(madeMs).toBeGreaterThan(beforeMs - 60_000);
    expect(madeMs).toBeLessThan(Date.now() + 60_000);
    expect(new Date(expires_at).getTime()).toBeGreaterThan(beforeMs);
    // What the previous key has signed counts until its retirement: it must not be dated before that.
    const { keys } = (await service.call('GET', '/.well-known/svc-keys.json')).body;
    const purposes = new Set(keys.map(({ use }: KeyTimes) => use));
    const times: (string | null)[] = keys.flatMap((key: KeyTimes) => [key.created_at, key.retired_at]);
    const offsMs = times.filter((time) => time !== null).map((time) => Math.abs(Date.parse(time) - beforeMs));
    // A previous and a new key of each purpose; only the new ones are not retired.
    expect([times.length, offsMs.length]).toEqual([4 * purposes.size, 3 * purposes.size]);
    expect(purposes.size).toBeGreaterThan(2);
    expect(Math.max(...offsMs)).toBeLessThan(120_000);
  },
);
