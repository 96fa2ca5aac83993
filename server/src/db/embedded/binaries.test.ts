import { chmod, cp, lstat, mkdtemp, readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Binaries, completeBinaries, copyBinaries, installedBinaries, program } from './binaries.ts';
import { run } from './run.ts';

let folder: string;
let bare: Binaries;
let links: string[];

/** Binaries as npm leaves them when install scripts are off: without library links. */
async function copyWithoutLinks(name: string): Promise<Binaries> {
  const installed = await installedBinaries(folder);
  const root = path.join(folder, name);
  await cp(installed.root, root, { recursive: true, verbatimSymlinks: true });
  for (const link of links) await rm(path.join(root, link), { force: true });
  return { root, packageVersion: 'test' };
}

async function runs(binaries: Binaries): Promise<boolean> {
  const result = await run([program(binaries, 'postgres'), '--version'], { timeoutMs: 10_000 });
  return result.code === 0;
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'payassent binaries-'));
  const { root } = await installedBinaries(folder);
  const list = JSON.parse(await readFile(path.join(root, 'pg-symlinks.json'), 'utf8')) as {
    target: string;
  }[];
  links = list.map(({ target }) => path.relative('native', target));
  bare = await copyWithoutLinks('bare');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the programs of the npm package', () => {
  it.runIf(process.platform === 'linux')(
    'do not run without the links of an install script (needs Linux)',
    async () => {
      expect(links.length).toBeGreaterThan(0);
      expect(await runs(bare)).toBe(false);
    },
  );

  it('can be copied, complete with links and open to other users', async () => {
    await chmod(path.join(bare.root, 'lib'), 0o700);
    const copy = await copyBinaries(bare, path.join(folder, 'copies'));
    expect(await runs(copy)).toBe(true);
    expect((await stat(path.join(copy.root, 'lib'))).mode & 0o777).toBe(0o755);
    expect((await stat(program(copy, 'postgres'))).mode & 0o777).toBe(0o755);
    expect(await readdir(path.join(folder, 'copies'))).toEqual(['postgres-bin-test']);
  });

  it('get missing and broken links in place', async () => {
    const [first = ''] = links;
    await symlink('points-to-nothing', path.join(bare.root, first));
    const completed = await completeBinaries(bare, path.join(folder, 'unused'));
    expect(completed).toBe(bare);
    for (const link of links) {
      expect((await lstat(path.join(bare.root, link))).isSymbolicLink()).toBe(true);
      await stat(path.join(bare.root, link));
    }
    expect(await runs(completed)).toBe(true);
  });
});
