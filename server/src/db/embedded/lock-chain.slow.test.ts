// Slow: races for lock files with processes.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { becomeRoot, claim, findHolder, type LockRecord, writeDurably } from './lock-chain.ts';

let folder: string;
let root: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'payassent-chain-'));
  root = path.join(folder, 'service.lock');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function record(token: string): LockRecord {
  return { token, pid: process.pid, startedAt: '', pidSpace: 'here', address: 'http://127.0.0.1:8787' };
}

async function draftOf(token: string): Promise<string> {
  const draft = path.join(folder, `draft-of-${token}`);
  await writeDurably(draft, JSON.stringify(record(token)));
  return draft;
}

describe('the chain of lock files', () => {
  it('ends in the one who took over last', async () => {
    expect(await claim(root, await draftOf('first'), undefined, record('first'))).toBe(true);
    expect(await claim(root, await draftOf('second'), record('first'), record('second'))).toBe(true);
    expect(await claim(root, await draftOf('third'), record('second'), record('third'))).toBe(true);
    expect((await findHolder(root))?.record.token).toBe('third');
  });

  it('lets only one succeed a holder that has ended', async () => {
    await claim(root, await draftOf('dead'), undefined, record('dead'));
    const drafts = await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (token) => ({ token, draft: await draftOf(token) })),
    );
    const results = await Promise.all(
      drafts.map(({ token, draft }) => claim(root, draft, record('dead'), record(token))),
    );
    expect(results.filter(Boolean)).toHaveLength(1);
  });

  it('refuses a late claim on a holder whose successor has already tidied up', async () => {
    await claim(root, await draftOf('dead'), undefined, record('dead'));
    const draft = await draftOf('heir');
    await claim(root, draft, record('dead'), record('heir'));
    await becomeRoot(folder, root, draft);
    expect(await claim(root, await draftOf('late'), record('dead'), record('late'))).toBe(false);
    expect((await findHolder(root))?.record.token).toBe('heir');
    expect((await readdir(folder)).filter((name) => name.startsWith('service.lock'))).toEqual([
      'service.lock',
    ]);
  });
});
