import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { lineageFileOf, openLineageMemory } from './lineage.ts';

const AT = 'postgres://app:secret@db1,db2:5433/pay';
const ELSEWHERE = 'postgres://app:secret@db3/pay';
const of = (system: string, timeline: number) => ({ system, timeline });

function dataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lineage-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

it('a database may continue and never back, also when the service was stopped in between', () => {
  const file = lineageFileOf(join(dataDir(), 'made with the first note'));
  const first = openLineageMemory(AT, file);
  expect([first.judge(of('1', 1)), first.judge(of('1', 2)), first.judge(of('1', 2))]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  for (const memory of [first, openLineageMemory(AT, file), openLineageMemory(ELSEWHERE, file)]) {
    const refusal = memory.judge(of('1', 1));
    expect(refusal).toMatchObject({ code: 'OTHER_DATABASE' });
    expect(refusal?.message).toContain('timeline 1 of the database, which has gone on to timeline 2');
    expect(refusal?.message).toContain(`remove ${file}`);
    expect(refusal?.message).not.toContain('secret');
  }
});

it('another database is refused at the same address, and taken at another one', () => {
  const file = lineageFileOf(dataDir());
  openLineageMemory(AT, file).judge(of('1', 7));
  expect(openLineageMemory(AT, file).judge(of('2', 1))?.message).toContain('system identifier 2');
  const moved = openLineageMemory(ELSEWHERE, file);
  expect(moved.judge(of('2', 1))).toBeUndefined();
  expect(moved.judge(of('1', 7))).toMatchObject({ code: 'OTHER_DATABASE' });
  rmSync(file);
  expect(openLineageMemory(AT, file).judge(of('1', 7))).toBeUndefined();
});

it('a folder that cannot be written to costs no more than the memory between two starts', () => {
  const file = join(dataDir(), 'no folder');
  writeFileSync(file, '');
  const memory = openLineageMemory(AT, lineageFileOf(file));
  expect(memory.judge(of('1', 2))).toBeUndefined();
  expect(memory.judge(of('1', 1))).toMatchObject({ code: 'OTHER_DATABASE' });
});
