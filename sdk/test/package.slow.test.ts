// Slow: packs and installs the package for several bundlers.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { build } from 'esbuild';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const execute = promisify(execFile);
let folder: string;
let tarballs: { sdk: string; protocol: string };

/** The packages as npm would publish them, installed in an empty folder together with their dependencies. */
beforeAll(async () => {
  if (!existsSync(join(root, 'sdk/dist/index.js'))) throw new Error('run "npm run build" first');
  folder = await mkdtemp(join(tmpdir(), 'svc-package-'));
  const [sdk, protocol] = await Promise.all([pack('sdk'), pack('protocol')]);
  tarballs = { sdk, protocol };
  await Promise.all([install(sdk, '@payassent/sdk'), install(protocol, '@payassent/protocol')]);
  const { dependencies } = JSON.parse(await readFile(join(root, 'protocol/package.json'), 'utf8'));
  for (const name of [...Object.keys(dependencies), '@types/node', 'undici-types']) {
    const place = join(folder, 'node_modules', name);
    await mkdir(dirname(place), { recursive: true });
    await symlink(join(root, 'node_modules', name), place, 'junction');
  }
  await writeFile(join(folder, 'package.json'), '{"name":"consumer","private":true,"type":"module"}');
  await writeFile(join(folder, 'consumer.ts'), CONSUMER);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function pack(name: string): Promise<string> {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const { stdout } = await execute('npm', args, { cwd: join(root, name), timeout: 60_000 });
  return join(folder, JSON.parse(stdout)[0].filename);
}

async function install(tarball: string, name: string): Promise<void> {
  const place = join(folder, 'node_modules', name);
  await mkdir(place, { recursive: true });
  await execute('tar', ['-xzf', tarball, '-C', place, '--strip-components=1']);
}

const CONSUMER = `
import { fileStore } from '@payassent/sdk/node';
import { AgentClient, type ClientOptions, generateAgentKey, isApiError, type PaymentRequest, verifyWebhook } from '@payassent/sdk';

const options: ClientOptions = { baseUrl: 'http://127.0.0.1:1', maxRetries: 0 };
export const agent: AgentClient = new AgentClient({ ...options, agentId: 'agt_1', kid: 'k', key: generateAgentKey(), store: fileStore('agent-store') });
export const amountOf = (request: PaymentRequest): string => request.payment.amount;
export function explain(error: unknown): string {
  if (isApiError(error) && error.code === 'version_conflict') return String(error.details.current_version + 1);
  // @ts-expect-error the details of this code carry no version
  if (isApiError(error, 'assertion_clock_skew')) return String(error.details.current_version);
  return String(error);
}
export const verify = verifyWebhook;
// @ts-expect-error an amount is never a number
agent.connection({ connectionId: 'c', connectionToken: 't' }).paymentRequests.create({ recipient_id: 'r', payment: { amount: 1 } });
`;

describe('the published package', () => {
  it('brings no schema library: what follows works without one', () => {
    expect(existsSync(join(folder, 'node_modules/typebox'))).toBe(false);
  });

  it('has nothing that publint complains about', async () => {
    const { buffer, byteOffset, byteLength } = await readFile(tarballs.sdk);
    const tarball = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
    const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
    const told = messages.filter(({ type }) => type !== 'suggestion');
    expect(told.map((message) => formatMessage(message, pkg ?? {}))).toEqual([]);
  });

  it('resolves, types included, for ESM under Node and under bundlers', async () => {
    const checked = await checkPackage(createPackageFromTarballData(await readFile(tarballs.sdk)));
    if (!checked.types) throw new Error('the package has no types');
    // CommonJS consumers get the ES module through require(esm); this problem reports only that the types declare it.
    const problems = checked.problems.filter(
      (problem) =>
        !('resolutionKind' in problem) || !['node10', 'node16-cjs'].includes(problem.resolutionKind),
    );
    expect(problems).toEqual([]);
    const { resolutions } = checked.entrypoints['.'] ?? {};
    for (const kind of ['node16-esm', 'bundler'] as const)
      expect(resolutions?.[kind].resolution?.fileName).toMatch(/dist\/index\.d\.ts$/);
  });

  it.each([
    ['Node', 'NodeNext', 'NodeNext', ['--types', 'node', '--lib', 'es2023']],
    ['a bundler', 'ESNext', 'bundler', ['--types', '', '--lib', 'es2023,dom,dom.iterable', '--skipLibCheck']],
  ])('compiles in a strict project for %s', async (_, module, resolution, rest) => {
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const strict = ['--strict', '--exactOptionalPropertyTypes', '--noEmit', '--target', 'es2022'];
    const args = [
      compiler,
      ...strict,
      '--module',
      module,
      '--moduleResolution',
      resolution,
      ...rest,
      'consumer.ts',
    ];
    const { stdout } = await execute(process.execPath, args, { cwd: folder, timeout: 80_000 }).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe('');
  });

  it('loads from CommonJS, and its Node entry too', async () => {
    const script =
      "const { AgentClient } = require('@payassent/sdk'); const { fileStore } = require('@payassent/sdk/node'); console.log(AgentClient.name, fileStore.name)";
    await writeFile(join(folder, 'consumer.cjs'), script);
    const { stdout } = await execute(process.execPath, ['consumer.cjs'], { cwd: folder });
    expect(stdout.trim()).toBe('AgentClient fileStore');
  });

  it('loads in Node and from a bundle, without tests or sources of tests in it', async () => {
    const script = "import('@payassent/sdk').then((sdk) => console.log(Object.keys(sdk).join()))";
    const { stdout } = await execute(process.execPath, ['-e', script], { cwd: folder });
    expect(stdout.trim().split(',')).toEqual(
      expect.arrayContaining([
        'AgentClient',
        'WalletClient',
        'MerchantClient',
        'AgentPaymentsClient',
        'verifyWebhook',
      ]),
    );
    const bundled = await build({
      stdin: { contents: "export { verifyWebhook } from '@payassent/sdk'", resolveDir: folder },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'browser',
      minify: true,
    });
    // Unused clients and address tables are left out; nearly all that remains is HMAC and Ed25519 of audited libraries.
    expect(bundled.outputFiles[0]?.text.length).toBeLessThan(50_000);
    const listed = await execute('tar', ['-tzf', tarballs.sdk]);
    expect(listed.stdout.split('\n').filter((path) => path.includes('test'))).toEqual([]);
  });
});
