// Slow: verifies every bundle a second time, in Python.
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { canonicalJson } from '@payassent/protocol';
import { newDecisionKey, putKey } from '@payassent/test-kit/decision-keys';
import { finishedAgentPayment, finishedPayment, forgetEvents } from '@payassent/test-kit/evidence';
import { readKeys } from '@payassent/test-kit/log';
import { succeed } from '@payassent/test-kit/merchants';
import { paymentStage } from '@payassent/test-kit/payments';
import { startService, type TestService } from '@payassent/test-kit/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const program = (name: string) => fileURLToPath(new URL(`../../docs/verify/${name}`, import.meta.url));
const python = (...args: string[]) => spawnSync('python3', ['-B', ...args], { encoding: 'utf8' });
const isThere = python('-c', 'import cryptography').status === 0;

describe('the second verifier, in Python', () => {
  if (!isThere) {
    it('is left out here: python3 with its package cryptography is not installed', () => {
      process.stderr.write('docs/verify/verify.py was not run: install python3-cryptography\n');
    });
    return;
  }
  let service: TestService;
  let folder: string;
  let bundles: Record<'confirmed' | 'rejected', string>;
  beforeAll(async () => {
    service = await startService();
    const stage = await paymentStage(service);
    const key = newDecisionKey();
    await succeed(putKey(service, stage.device, key));
    bundles = {
      confirmed: (await finishedPayment(service, stage, key, 'confirmed')).bundle,
      rejected: (await finishedPayment(service, stage, key, 'rejected')).bundle,
    };
    folder = await mkdtemp(join(tmpdir(), 'payassent-python-'));
    await writeFile(join(folder, 'keys.json'), JSON.stringify({ keys: await readKeys(service.url) }));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await service.close();
  });
  const run = async (name: string, bundle: string) => {
    await writeFile(join(folder, 'bundle.json'), bundle);
    return python(program(name), join(folder, 'bundle.json'), join(folder, 'keys.json'));
  };

  it.each(['confirmed', 'rejected'] as const)(
    'holds every claim of a %s request, as the first one does',
    async (end) => {
      const verified = await run('verify.py', bundles[end]);
      expect(verified.status, verified.stdout + verified.stderr).toBe(0);
      expect(verified.stdout.match(/^✓/gm)).toHaveLength(12);
    },
  );

  it('holds every claim of an agent payment, with its history where it was kept', async () => {
    const { bundle } = await finishedAgentPayment(service, 'confirmed');
    const verified = await run('verify.py', bundle);
    expect(verified.status, verified.stdout + verified.stderr).toBe(0);
    expect(verified.stdout).toMatch(/^✓ history +3 events, up to confirmed\.$/m);
    const older = await finishedAgentPayment(service, 'confirmed', (id) => forgetEvents(service, id));
    const partly = await run('verify.py', older.bundle);
    expect(partly.status, partly.stdout + partly.stderr).toBe(0);
    expect(partly.stdout).toMatch(/^✓ final_logged /m);
    expect(partly.stdout).not.toMatch(/^✓ history /m);
  });

  it('reports every byte of a bundle that is another', async () => {
    const flipped = await run('flip.py', bundles.confirmed);
    expect(flipped.stderr).toBe('');
    const { tried, unnoticed } = JSON.parse(flipped.stdout);
    expect(tried).toBeGreaterThan(5000);
    expect(unnoticed).toEqual([]);
  }, 600_000);

  it('names the claim that is broken', async () => {
    const told = JSON.parse(bundles.confirmed);
    told.request.payment.amount = '9999';
    const verified = await run('verify.py', canonicalJson(told));
    expect(verified.status).toBe(1);
    expect(verified.stdout).toMatch(/^✗ facts +The digest is not that of these facts\.$/m);
    expect(verified.stdout).toMatch(/^✗ service_signature /m);
  });
});
