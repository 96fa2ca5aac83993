import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isSameProcess, readProcess } from './process-info.ts';

describe('reading a process', () => {
  it('finds this process with its parent', () => {
    const info = readProcess(process.pid);
    expect(info).toMatchObject({ pid: process.pid, parentPid: process.ppid });
    expect(info === undefined ? false : isSameProcess(info)).toBe(true);
  });

  it('distinguishes a process from a later one with the same pid', () => {
    expect(isSameProcess({ pid: process.pid, startedAt: 'another time' })).toBe(false);
  });

  it('does not find a process that has ended', async () => {
    const child = spawn('true');
    await once(child, 'exit');
    expect(readProcess(child.pid ?? 0)).toBeUndefined();
  });

  it('reads names with spaces and parentheses', async () => {
    const script = 'process.title = "a) b ("; process.stdout.write("set"); setInterval(() => {}, 1000)';
    const child = spawn(process.execPath, ['-e', script]);
    await once(child.stdout, 'data');
    expect(readProcess(child.pid ?? 0)?.parentPid).toBe(process.pid);
    child.kill('SIGKILL');
  });

  it('takes a zombie for ended although it can be signalled', async () => {
    // The shell that started it would reap it; the one that prints its pid has not started anything.
    const parent = spawn('sh', ['-c', 'sleep 60 & exec sh -c "echo $!; exec sleep 60"'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [chunk] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(chunk.toString());
    expect(readProcess(pid)).toBeDefined();
    // Until then a shell runs there, and reaps any child of its process.
    await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n');
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => readProcess(pid)).toBeUndefined();
    expect(() => process.kill(pid, 0)).not.toThrow();
    parent.kill('SIGKILL');
  });

  it('refuses what is no pid', () => {
    expect([0, -1, 1.5, Number.NaN].map(readProcess)).toEqual([undefined, undefined, undefined, undefined]);
  });
});
