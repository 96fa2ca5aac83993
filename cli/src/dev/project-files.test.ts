import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writeProjectFiles } from './project-files.ts';

/** A folder of this name in a new clone. */
function project(name: string) {
  const clone = mkdtempSync(join(tmpdir(), 'payassent-files-'));
  onTestFinished(() => rmSync(clone, { recursive: true }));
  const git = (...args: string[]) => execFileSync('git', ['-C', clone, ...args], { encoding: 'utf8' });
  git('init', '--quiet');
  const folder = join(clone, name);
  mkdirSync(folder);
  return { folder, git, at: (file: string) => join(folder, file) };
}

const TOKEN = { PAYASSENT_CONNECTION_TOKEN: 'svc_ct_1' };

it.each(['shop', '[shop] one', 'a*b?', String.raw`back\slash`])(
  'lets git ignore both files in a folder named %s, and no other file',
  (name) => {
    const { folder, git, at } = project(name);
    const { files, remove } = writeProjectFiles(folder, TOKEN, 'dev');
    expect(files.map((file) => existsSync(file))).toEqual([true, true]);
    expect(git('status', '--porcelain')).toBe('');
    writeFileSync(at('other.txt'), '');
    expect(git('status', '--porcelain')).not.toBe('');
    remove();
    expect(files.map((file) => existsSync(file))).toEqual([false, false]);
    expect(readFileSync(join(folder, '../.git/info/exclude'), 'utf8')).not.toContain('.env');
  },
);

it('leaves nothing behind where .mcp.json is no JSON', () => {
  const { folder, git, at } = project('shop');
  writeFileSync(at('.mcp.json'), '{"mcpServers":');
  expect(() => writeProjectFiles(folder, TOKEN, 'dev')).toThrow('is no JSON');
  expect(existsSync(at('.env'))).toBe(false);
  expect(git('status', '--porcelain', '-uall')).toBe('?? shop/.mcp.json\n');
});

it('takes the token back although .mcp.json is no JSON any more', () => {
  const { folder, at } = project('shop');
  const { remove } = writeProjectFiles(folder, TOKEN, 'dev');
  writeFileSync(at('.mcp.json'), '{"mcpServers":');
  remove();
  expect(existsSync(at('.env'))).toBe(false);
  expect(readFileSync(at('.mcp.json'), 'utf8')).toBe('{"mcpServers":');
});
