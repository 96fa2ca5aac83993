// Slow: takes every part of a service away in turn.
import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { HAS_SERVER_PROGRAMS } from '@payassent/proof/database/servers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CALLS, ROOM_LEFT, type Trial } from './calls.ts';
import { documentOf, rowsOf } from './document.ts';
import { PARTS, type Part } from './parts.ts';
import { openSite, type Site } from './site.ts';

const DOCUMENT = fileURLToPath(
  new URL('../../../docs/operators/what-works-when-a-part-is-down.md', import.meta.url),
);
const IS_ROOT = process.getuid?.() === 0;
/** What comes in this time comes although the part is away; the slowest job has a turn every second. */
const COMES_WITHIN_MS = 10_000;
/** The longest pause after two failed tries, that of webhooks, and the turn after it. */
const COMES_AFTERWARDS_MS = 420_000;
const SMALL_MB = 400;

let folder: string;
let site: Site;
beforeAll(async () => {
  folder = await mkdtemp('/tmp/part-down-');
  await chmod(folder, 0o755);
  if (IS_ROOT) {
    const mount = ['-t', 'tmpfs', '-o', `size=${SMALL_MB}m`, 'tmpfs', folder];
    const { status, stderr } = spawnSync('mount', mount, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`mount: ${stderr}`);
  }
  site = await openSite(folder);
});
afterAll(async () => {
  await site?.close();
  if (IS_ROOT) spawnSync('umount', ['--lazy', folder]);
  await rm(folder, { recursive: true, force: true });
});

async function hasComeWithin(trial: Trial, withinMs: number): Promise<boolean> {
  const { hasCome } = trial;
  if (!hasCome) return true;
  return vi
    .waitFor(
      async () => {
        if (!(await hasCome())) throw new Error('not yet');
        return true;
      },
      { timeout: withinMs, interval: 250 },
    )
    .catch(() => false);
}

function comesMeanwhile(trial: Trial): Promise<boolean> {
  const { hasCome, isPutOff } = trial;
  if (!hasCome || !isPutOff) return hasComeWithin(trial, COMES_WITHIN_MS);
  const isDecided = async () => (await hasCome()) || (await isPutOff());
  return hasComeWithin({ ...trial, hasCome: isDecided }, COMES_WITHIN_MS).then(() => hasCome());
}

/** What each call does while the part is away. The calls are made side by side, as those of many clients are. */
async function cellsOf(part: Part): Promise<string[]> {
  const giveBack = await part.takeAway(site);
  const trials = await Promise.all(
    CALLS.map(async ({ writes, try: make }) => {
      const trial = await make(site);
      const came = trial.told !== 'yes' || (await comesMeanwhile(trial));
      return { trial, came, writes };
    }),
  ).finally(giveBack);
  return Promise.all(
    trials.map(async ({ trial, came, writes }) => {
      const mayPass = part.leavesRoom && writes && ['yes', '503'].includes(trial.told);
      if (came) return mayPass ? ROOM_LEFT : trial.told;
      return (await hasComeWithin(trial, COMES_AFTERWARDS_MS)) ? 'later' : 'never';
    }),
  );
}

describe.runIf(HAS_SERVER_PROGRAMS)('while a part is away (needs PostgreSQL of Debian)', () => {
  it('calls do what the document for hosts describes', async () => {
    const measured = new Map<string, readonly string[]>();
    for (const part of PARTS.filter(({ needsRoot }) => !needsRoot || IS_ROOT)) {
      const cells = await cellsOf(part);
      measured.set(part.name, cells);
    }
    const known = rowsOf(await readFile(DOCUMENT, 'utf8').catch(() => ''));
    // Only root can fill a disk; then its row is that of the last run that could.
    for (const { name } of PARTS) if (!measured.has(name)) measured.set(name, known.get(name) ?? []);
    expect([...measured].filter(([, cells]) => cells.includes('never'))).toEqual([]);
    await expect(documentOf(measured)).toMatchFileSnapshot(DOCUMENT);
  }, 1_800_000);
});
