import { randomBytes } from 'node:crypto';
import { type Checkpoint, verifyConsistency } from '@payassent/protocol/log';
import { expect, onTestFinished } from 'vitest';
import { proveConsistency } from '../../../server/src/features/transparency-log/prove.ts';
import { readCheckpoint, readLog } from '../log/public-log.ts';
import { startProcess } from '../service/process.ts';
import { freePort, type TestService } from '../service/service.ts';

/** Two processes work on one log, and the one that may be integrating is killed, again and again. The service has no jobs. */
export async function killWhileIntegrating(service: TestService, rounds: number): Promise<void> {
  const appended = new Set<string>();
  const append = async () => {
    const digest = `sha256:${randomBytes(32).toString('hex')}`;
    const content = JSON.stringify({ domain: 'shop.example', evidence_digest: digest });
    await service.db`select append_to_log('payee.activated', now(), array['evd_1'], ${[content]}::text[])`;
    appended.add(digest);
  };
  const startOne = async () => {
    // Under one public address, as behind a proxy: it is one log.
    const env = { ...service.env, SVC_PORT: String(await freePort()), SVC_BASE_URL: service.url };
    const started = await startProcess(env);
    onTestFinished(async () => {
      await started.end('SIGKILL');
    });
    return started;
  };
  const seen: Checkpoint[] = [];
  const look = async () => {
    const { checkpoint } = await readCheckpoint(service.url);
    const last = seen.at(-1);
    if (last === undefined || checkpoint.size !== last.size) seen.push(checkpoint);
    else expect(checkpoint.root).toEqual(last.root);
    return checkpoint.size;
  };
  let [first, second] = await Promise.all([startOne(), startOne()]);
  for (let round = 0; round < rounds; round += 1) {
    const before = await look();
    const writing = Promise.all(Array.from({ length: 15 }, append));
    await expect.poll(look, { timeout: 10_000, interval: 3 }).toBeGreaterThan(before);
    await first.end('SIGKILL');
    await writing;
    [first, second] = [second, await startOne()];
  }
  const committed = performance.now();
  await append();
  await expect.poll(look, { timeout: 10_000, interval: 20 }).toBe(appended.size);
  expect(performance.now() - committed).toBeLessThan(2000);

  const sizes = seen.map(({ size }) => size);
  expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
  for (const [n, newer] of seen.entries()) {
    const older = seen[n - 1];
    if (!older || older.size === 0) continue;
    const proof = await proveConsistency(service.db, older.size, newer.size);
    expect(verifyConsistency(older, newer, proof)).toBe(true);
  }
  const { entries } = await readLog(service.url);
  const logged = entries.map((entry) => JSON.parse(entry).evidence_digest);
  expect(logged).toHaveLength(appended.size);
  expect(new Set(logged)).toEqual(appended);
}
