import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { EdgeVM } from '@edge-runtime/vm';
import type { TestReceiver } from '@payassent/proof/surroundings/http-receiver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleSmoke } from './harness/bundle.ts';
import { findRuntime } from './harness/runtimes.ts';
import { SMOKE_LINES, startSmokeServer } from './harness/smoke-server.ts';
import { run, type SmokeInput } from './smoke/smoke.ts';

const execute = promisify(execFile);
let server: TestReceiver;
let input: SmokeInput;
let folder: string;
beforeAll(async () => {
  const [started, made] = await Promise.all([startSmokeServer(), mkdtemp(join(tmpdir(), 'svc-sdk-'))]);
  ({ server, input } = started);
  folder = made;
  const script = `${await bundleSmoke('esm')}\nconst lines = await run(${JSON.stringify(input)});\nconsole.log(JSON.stringify(lines));\n`;
  await writeFile(join(folder, 'smoke.mjs'), script);
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function runWith(command: string, args: readonly string[]): Promise<unknown> {
  const options = { cwd: folder, timeout: 20_000, env: { HOME: folder, TMPDIR: folder, NO_COLOR: '1' } };
  const { stdout } = await execute(command, [...args, 'smoke.mjs'], options);
  return JSON.parse(stdout);
}

describe('the SDK', () => {
  it('prints the expected lines in the process of the tests', async () => {
    expect(await run(input)).toEqual(SMOKE_LINES);
  });

  it('bundled for browsers, runs where there is nothing but the web platform', async () => {
    const web = { fetch, crypto, TextEncoder, TextDecoder, URL, URLSearchParams, Headers, Request };
    const timers = { AbortController, AbortSignal, setTimeout, clearTimeout };
    const bare = createContext({ ...web, ...timers });
    expect(runInContext('[typeof process, typeof Buffer, typeof require].join()', bare)).toBe(
      'undefined,undefined,undefined',
    );
    const script = `${await bundleSmoke('iife')}\nsmoke.run(${JSON.stringify(input)}).then(JSON.stringify);`;
    expect(JSON.parse(await runInContext(script, bare))).toEqual(SMOKE_LINES);
  });

  it('runs as an edge worker', async () => {
    const script = `${await bundleSmoke('iife')}\nsmoke.run(${JSON.stringify(input)}).then(JSON.stringify);`;
    const edge = new EdgeVM();
    expect(edge.evaluate('typeof process')).toBe('undefined');
    expect(JSON.parse(await edge.evaluate<Promise<string>>(script))).toEqual(SMOKE_LINES);
  });

  it('runs in a separate process under Node', async () => {
    expect(await runWith(process.execPath, [])).toEqual(SMOKE_LINES);
  });

  it('runs under Bun', async (test) => {
    const bun = await findRuntime('bun');
    if (!bun.found) return test.skip(bun.reason);
    expect(await runWith(bun.path, ['run'])).toEqual(SMOKE_LINES);
  });

  it('runs under Deno, with leave to reach the loopback server and nothing else', async (test) => {
    const deno = await findRuntime('deno');
    if (!deno.found) return test.skip(deno.reason);
    const allow = `--allow-net=${new URL(server.url).host}`;
    const flags = ['run', '--no-config', '--no-lock', '--no-remote', '--no-prompt', allow];
    expect(await runWith(deno.path, flags)).toEqual(SMOKE_LINES);
  });
});
