// Slow: races for lock files with processes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readProcess } from '../../lib/process-info.ts';
import { EmbeddedStartError } from './errors.ts';
import { lockDataFolder } from './lock.ts';

const address = 'http://127.0.0.1:8787';
let folder: string;
let lockFile: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'payassent-lock-'));
  lockFile = path.join(folder, 'service.lock');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The lock that another process would have left, with some of its values changed. */
async function leaveLock(changes: Record<string, unknown>): Promise<void> {
  const lock = await lockDataFolder(folder, { address: 'http://127.0.0.1:9', waitMs: 0 });
  const record = JSON.parse(await readFile(lockFile, 'utf8')) as Record<string, unknown>;
  await lock.release();
  await writeFile(lockFile, JSON.stringify({ ...record, token: 'left-behind', ...changes }));
}

async function expectTakenOver(waitMs = 0): Promise<void> {
  const lock = await lockDataFolder(folder, { address, waitMs, foreignSilenceMs: 800 });
  expect(JSON.parse(await readFile(lockFile, 'utf8'))).toMatchObject({ pid: process.pid, address });
  expect(await readdir(folder)).toEqual(['service.lock']);
  await lock.release();
  expect(await readdir(folder)).toEqual([]);
}

describe('the lock of the data folder', () => {
  it('refuses a second service and names pid and address of the first', async () => {
    const lock = await lockDataFolder(folder, { address, waitMs: 0 });
    const second = lockDataFolder(folder, { address: 'http://127.0.0.1:9', waitMs: 200 });
    await expect(second).rejects.toThrow(EmbeddedStartError);
    await expect(second).rejects.toThrow(`${address} (pid ${process.pid})`);
    await lock.release();
  });

  it('is taken by a start that waits for the first service to leave', async () => {
    const lock = await lockDataFolder(folder, { address, waitMs: 0 });
    const waiting = lockDataFolder(folder, { address, waitMs: 5000 });
    await sleep(250);
    await lock.release();
    await (await waiting).release();
  });

  it('is taken over from a process that is gone', async () => {
    const child = spawn('true');
    await once(child, 'exit');
    await leaveLock({ pid: child.pid });
    await expectTakenOver();
  });

  it('is taken over when the pid belongs to a later process', async () => {
    await leaveLock({ startedAt: 'another time' });
    await expectTakenOver();
  });

  it.runIf(process.platform === 'linux')('is taken over from a zombie (needs Linux)', async () => {
    // The shell becomes a program that never reaps its exited child.
    const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const [chunk] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(chunk.toString());
      const startedAt = readProcess(pid)?.startedAt;
      expect(startedAt).toBeDefined();
      await leaveLock({ pid, startedAt });
      await expect(lockDataFolder(folder, { address, waitMs: 0 })).rejects.toThrow(`pid ${pid}`);
      process.kill(pid, 'SIGKILL');
      await expect.poll(() => readProcess(pid)).toBeUndefined();
      expect(() => process.kill(pid, 0), 'a zombie can still be signalled').not.toThrow();
      await expectTakenOver();
    } finally {
      parent.kill('SIGKILL');
    }
  });

  it('is taken over when the file was cut short by a power loss', async () => {
    await writeFile(lockFile, '{"tok');
    await expectTakenOver();
  });

  it('is taken over from a successor that was killed before it had cleaned up', async () => {
    await leaveLock({ startedAt: 'long ago' });
    const record = JSON.parse(await readFile(lockFile, 'utf8')) as Record<string, unknown>;
    await writeFile(`${lockFile}.left-behind`, JSON.stringify({ ...record, token: 'second' }));
    await expectTakenOver();
  });

  it('goes to exactly one of many starts that find a holder that has ended', async () => {
    for (let round = 0; round < 20; round += 1) {
      await leaveLock({ startedAt: 'long ago' });
      // Spread over some milliseconds: late ones meet the first one during its cleanup.
      const starts = Array.from({ length: 10 }, async (_, index) => {
        await sleep(index % 8);
        return lockDataFolder(folder, { address, waitMs: 0 });
      });
      const results = await Promise.allSettled(starts);
      const winners = results.filter((result) => result.status === 'fulfilled');
      expect(winners).toHaveLength(1);
      await winners[0]?.value.release();
    }
    expect(await readdir(folder)).toEqual([]);
  });

  it('comes back when someone deletes its file', async () => {
    const lock = await lockDataFolder(folder, { address, waitMs: 0 });
    await rm(lockFile);
    await expect.poll(() => readdir(folder)).toEqual(['service.lock']);
    await expect(lockDataFolder(folder, { address, waitMs: 0 })).rejects.toThrow('in use');
    await lock.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('is respected while a holder in another container shows signs of life, and taken when it falls silent', async () => {
    await leaveLock({ pidSpace: 'pid:[of another container]' });
    const beat = setInterval(() => utimes(lockFile, new Date(), new Date()), 200);
    const second = lockDataFolder(folder, { address, waitMs: 1200, foreignSilenceMs: 800 });
    await expect(second).rejects.toThrow('in use');
    clearInterval(beat);
    await expectTakenOver(5000);
  });
});
