import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { wholeWorld } from '@payassent/proof/people/sdk';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const here = fileURLToPath(new URL('.', import.meta.url));
const out = join(here, 'out');
const execute = promisify(execFile);
const require = createRequire(import.meta.url);

/** Each generator with its arguments and the file in which its types stand. */
const GENERATORS = {
  'openapi-typescript': {
    args: [
      '../openapi.json',
      '-o',
      'out/openapi-typescript/api.ts',
      '--root-types',
      '--root-types-no-schema-prefix',
    ],
    types: 'openapi-typescript/api.ts',
  },
  '@hey-api/openapi-ts': {
    args: ['-i', '../openapi.json', '-o', 'out/hey-api'],
    types: 'hey-api/types.gen.ts',
  },
  orval: {
    args: ['--input', '../openapi.json', '--output', 'out/orval/api.ts', '--client', 'fetch'],
    types: 'orval/api.ts',
  },
};

async function generate(name: keyof typeof GENERATORS): Promise<void> {
  const manifest = join(here, 'node_modules', name, 'package.json');
  const { bin } = JSON.parse(await readFile(manifest, 'utf8')) as { bin: string | Record<string, string> };
  const script = typeof bin === 'string' ? bin : Object.values(bin)[0];
  const command = join(dirname(manifest), script ?? '');
  await execute(process.execPath, [command, ...GENERATORS[name].args], { cwd: here, timeout: 120_000 });
}

beforeAll(async () => {
  await rm(out, { recursive: true, force: true });
  await mkdir(join(out, 'openapi-typescript'), { recursive: true });
  for (const name of Object.keys(GENERATORS)) await generate(name as keyof typeof GENERATORS);
});
afterAll(() => rm(out, { recursive: true, force: true }));

describe('a generated client', () => {
  it.each(Object.entries(GENERATORS))('of %s has a type named PaymentRequest', async (_name, { types }) => {
    expect(await readFile(join(out, types), 'utf8')).toMatch(/^export (type|interface) PaymentRequest\b/m);
  });

  it('compiles in a strict project', async () => {
    const options = { strict: true, noUncheckedIndexedAccess: true, noEmit: true, skipLibCheck: false };
    const target = { target: 'es2022', module: 'esnext', moduleResolution: 'bundler', types: [] };
    const lib = ['es2023', 'dom', 'dom.iterable'];
    const project = { compilerOptions: { ...options, ...target, lib }, include: ['.'] };
    await writeFile(join(out, 'tsconfig.json'), JSON.stringify(project));
    const compiler = require.resolve('typescript/bin/tsc');
    const told = await execute(process.execPath, [compiler, '-p', out], { timeout: 120_000 }).catch(
      (error: { stdout: string }) => error,
    );
    expect(told.stdout).toBe('');
  });
});

interface Result {
  data?: { payment_request: { request_id: string; status: string } };
  error?: unknown;
}
type Call = (input: Record<string, unknown>) => Promise<Result>;

describe('the client that hey-api generates', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());

  it('walks a payment request from its creation to its confirmation against a running service', async () => {
    const world = await wholeWorld(service);
    const generated = (await import(join(out, 'hey-api/index.ts'))) as Record<string, Call>;
    const { createPaymentRequest, reportPaymentRequestStatus, getPaymentRequest } = generated;
    if (!createPaymentRequest || !reportPaymentRequestStatus || !getPaymentRequest)
      throw new Error('operations are not functions of their names');
    const baseUrl = service.url;
    const created = await createPaymentRequest({
      baseUrl,
      auth: world.connectionToken,
      headers: { 'X-Idempotency-Key': 'generated-1' },
      body: {
        recipient_id: world.payee.recipientId,
        payment: { amount: '12.50' },
        policy: { requires_user_approval: true },
      },
    });
    expect(created.error).toBeUndefined();
    const id = created.data?.payment_request.request_id;
    for (const status of ['signed', 'broadcasted', 'confirmed']) {
      const reported = await reportPaymentRequestStatus({
        baseUrl,
        auth: world.deviceToken,
        path: { id },
        body: { status },
      });
      expect(reported.data?.payment_request.status).toBe(status);
    }
    const read = await getPaymentRequest({ baseUrl, auth: world.connectionToken, path: { id } });
    expect(read.data?.payment_request.status).toBe('confirmed');
  });
});
