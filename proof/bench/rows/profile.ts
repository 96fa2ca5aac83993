import type { Source } from '../../stage/load/jobs.ts';
import { say } from '../../stage/report.ts';
import {
  type Bench,
  type CpuProfile,
  callLeg,
  creates,
  type Ground,
  polls,
  reads,
  serviceOn,
} from '../bench.ts';
import type { ProfileRow } from '../report/model.ts';

const SHOWN_FUNCTIONS = 14;
/** `dispatch` is the profiler's own door. */
const IS_NO_WORK = new Set(['(idle)', '(root)', 'dispatch']);

/** Where the service's one thread spends its time: Node's sampling profiler, self time. */
export async function measureProfile(bench: Bench, ground: Ground): Promise<void> {
  // Creates need fresh keys in every stretch.
  const sources: Record<string, () => Source | Promise<Source>> = {
    create: () => creates(ground.callers),
    'read one request': () => reads(ground),
    'poll events': () => polls(ground),
  };
  for (const [what, sourceOf] of Object.entries(sources)) {
    const service = await serviceOn(ground);
    await callLeg(bench, service, await sourceOf());
    const source = await sourceOf();
    const profile = await service.profiled(() => callLeg(bench, service, source));
    await service.stop();
    const { parts, functions } = condense(profile);
    bench.report.profiles.push({ what, parts, functions });
    const top = parts.slice(0, 6).map((row) => `${row.what} ${percent(row.share)}`);
    say(`  ${what}: ${top.join(', ')}`);
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
    if (!frame || micros < 0 || IS_NO_WORK.has(frame.functionName)) return;
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
