import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bench, callLeg, creates, type Ground, polls, reads, serviceOn } from '../bench.ts';
import type { Source } from '../load/jobs.ts';
import type { ProfileRow } from '../report/model.ts';

interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

const SHOWN_FUNCTIONS = 14;

/** Where the service's one thread spends its time: Node's sampling profiler, self time. */
export async function measureProfile(bench: Bench, ground: Ground, stored: number): Promise<void> {
  const sources: Record<string, Source> = {
    create: creates(ground.callers),
    'read one request': await reads(ground, stored),
    'poll events': await polls(ground),
  };
  for (const [what, source] of Object.entries(sources)) {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-bench-profile-'));
    const removeFolder = bench.disposal.add(() => rm(folder, { recursive: true, force: true }));
    const nodeOptions = ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=500'];
    const service = await serviceOn(bench, ground, { nodeOptions });
    await callLeg(bench, service.port, service.pid, source, { legMs: bench.settings.legMs * 2 });
    await service.stop();
    const [file] = await readdir(folder);
    if (file === undefined) throw new Error('no profile was written');
    const profile = JSON.parse(await readFile(join(folder, file), 'utf8')) as CpuProfile;
    await removeFolder();
    const { parts, functions } = condense(profile);
    bench.report.profiles.push({ what, parts, functions });
    const top = parts.slice(0, 6).map((row) => `${row.what} ${percent(row.share)}`);
    bench.say(`  ${what}: ${top.join(', ')}`);
  }
}

/** Shares of the busy time; idle time is none of it. */
function condense(profile: CpuProfile): { parts: ProfileRow[]; functions: ProfileRow[] } {
  const frames = new Map(profile.nodes.map((node) => [node.id, node.callFrame]));
  const parts = new Map<string, number>();
  const functions = new Map<string, number>();
  let busy = 0;
  profile.samples.forEach((id, index) => {
    const frame = frames.get(id);
    const micros = profile.timeDeltas[index] ?? 0;
    if (!frame || frame.functionName === '(idle)' || frame.functionName === '(root)' || micros < 0) return;
    busy += micros;
    const part = partOf(frame);
    const name = nameOf(frame, part);
    parts.set(part, (parts.get(part) ?? 0) + micros);
    functions.set(name, (functions.get(name) ?? 0) + micros);
  });
  const shares = (times: Map<string, number>) =>
    [...times].map(([what, micros]) => ({ what, share: micros / busy })).sort((a, b) => b.share - a.share);
  return { parts: shares(parts), functions: shares(functions).slice(0, SHOWN_FUNCTIONS) };
}

function partOf({ functionName, url }: { functionName: string; url: string }): string {
  if (functionName === '(garbage collector)') return 'garbage collection';
  if (functionName === '(program)') return 'inside Node and the system, not in JavaScript';
  if (url === '') return 'built-in functions';
  if (url.startsWith('node:'))
    return /http|net|stream|_http/.test(url) ? 'node: http, net, streams' : 'node: other';
  const dependency = url.split('/node_modules/').at(-1);
  if (dependency !== undefined && dependency !== url)
    return `package ${dependency
      .split('/')
      .slice(0, dependency.startsWith('@') ? 2 : 1)
      .join('/')}`;
  const own = /\/(server|protocol)\/dist\/([^/]+)/.exec(url);
  return own ? `our ${own[1]}/${own[2]?.replace(/\.js$/, '')}` : 'other';
}

function nameOf(frame: { functionName: string; url: string; lineNumber: number }, part: string): string {
  const file = frame.url
    .split('/')
    .slice(-1)[0]
    ?.replace(/^node:/, '');
  const name = frame.functionName === '' ? `(anonymous, line ${frame.lineNumber + 1})` : frame.functionName;
  return file ? `${name} in ${file} (${part})` : `${name}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
