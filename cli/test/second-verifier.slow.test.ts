// Slow: verifies every bundle a second time, in Python.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PublishedKey, readKeys } from '@payassent/proof/log/public-log';
import { autonomy, pay } from '@payassent/proof/people/autonomy';
import { newDecisionKey, putKey } from '@payassent/proof/people/decision-keys';
import {
  allIntegrated,
  evidenceOf,
  finishedAgentPayment,
  finishedPayment,
  forgetEvents,
  withEarlierEntries,
  withLateDecision,
} from '@payassent/proof/people/evidence';
import { succeed } from '@payassent/proof/people/merchants';
import { activePayee } from '@payassent/proof/people/payees';
import { paymentStage, pendingRequest, report } from '@payassent/proof/people/payments';
import { startService, type TestService } from '@payassent/proof/service/service';
import { canonicalJson } from '@payassent/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstOutcomes, hasPython, outcomesIn, runPython } from './harness/second-verifier.ts';

describe('the second verifier, in Python', () => {
  if (!hasPython) {
    it('is left out here: python3 with its package cryptography is not installed', () => {
      process.stderr.write('docs/verify/verify.py was not run: install python3-cryptography\n');
    });
    return;
  }
  let service: TestService;
  let folder: string;
  let keys: PublishedKey[];
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
    keys = await readKeys(service.url);
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await service.close();
  });
  const run = (name: string, bundle: string) => runPython(folder, name, bundle, keys);

  it.each(['confirmed', 'rejected'] as const)(
    'holds every claim of a %s request, as the first one does',
    async (end) => {
      const verified = await run('verify.py', bundles[end]);
      expect(verified.status, verified.stdout + verified.stderr).toBe(0);
      // No checkpoint and no witnesses are given to either; only the first one has words for that.
      const { checkpoint: _, witnesses: __, ...first } = firstOutcomes(bundles[end], keys);
      expect(outcomesIn(verified.stdout)).toEqual(first);
      expect(verified.stdout.match(/^✓/gm)).toHaveLength(end === 'rejected' ? 12 : 11);
    },
  );

  it('holds every claim of an agent payment, with its history where it was kept', async () => {
    const { bundle } = await finishedAgentPayment(service, 'confirmed');
    const verified = await run('verify.py', bundle);
    expect(verified.status, verified.stdout + verified.stderr).toBe(0);
    expect(verified.stdout).toMatch(/^• history +the service's word: 3 events, up to confirmed; /m);
    const older = await finishedAgentPayment(service, 'confirmed', (id) => forgetEvents(service, id));
    const partly = await run('verify.py', older.bundle);
    expect(partly.status, partly.stdout + partly.stderr).toBe(0);
    expect(partly.stdout).toMatch(/^✓ final_logged /m);
    expect(partly.stdout).toMatch(/^– history /m);
  });

  it('holds a payee whose requests each have a memo, on both surfaces, and no other memo', async () => {
    const stage = await paymentStage(service);
    const payee = await activePayee(service, stage.merchant, { memo_policy: 'request' });
    const { request_id } = await pendingRequest(service, { ...stage, payee });
    const world = await autonomy(service);
    const { recipientId } = await activePayee(service, world.merchant, { memo_policy: 'request' });
    const wanted = { initiated_by: 'human', recipient_id: recipientId };
    const { data } = (await succeed(pay(service, world, '1', wanted, { bearer: world.admin }))).body;
    await allIntegrated(service);
    const path = `/v1/agent-payments/${data.id}/evidence`;
    const both = [
      await evidenceOf(service, request_id, { bearer: stage.connectionToken }),
      (await succeed(service.call('GET', path, { apiKey: world.apiKey }))).text,
    ];
    for (const bundle of both) {
      const verified = await run('verify.py', bundle);
      expect(verified.status, verified.stdout + verified.stderr).toBe(0);
      const { checkpoint: _, witnesses: __, ...first } = firstOutcomes(bundle, keys);
      expect(first['payee']).toBe('holds');
      expect(outcomesIn(verified.stdout)).toEqual(first);
      const told = JSON.parse(bundle);
      (told.request.payment ?? told.request).memo = 'ab'.repeat(32);
      const broken = await run('verify.py', canonicalJson(told));
      expect(broken.stdout).toMatch(/^✗ payee +The memo is not that of this request\.$/m);
    }
  });

  it('reports every byte of a bundle that is another', async () => {
    const flipped = await run('flip.py', bundles.confirmed);
    expect(flipped.stderr).toBe('');
    const { tried, unnoticed } = JSON.parse(flipped.stdout);
    expect(tried).toBeGreaterThan(5000);
    expect(unnoticed).toEqual([]);
  }, 600_000);

  it('claims for an entry that waits what the first one claims, and states the time of a proved one', async () => {
    const verified = await run('verify.py', withEarlierEntries(service, bundles.confirmed));
    expect(verified.status, verified.stdout + verified.stderr).toBe(0);
    expect(verified.stdout).not.toContain('2001-');
    const stage = await paymentStage(service);
    const { request_id } = await pendingRequest(service, stage);
    await succeed(report(service, stage, request_id, { status: 'signed' }));
    await allIntegrated(service);
    const unsigned = await evidenceOf(service, request_id, { bearer: stage.connectionToken });
    const waiting = withLateDecision(service, unsigned);
    const late = await run('verify.py', waiting);
    expect(late.status, late.stdout + late.stderr).toBe(0);
    const { checkpoint: _, witnesses: __, ...first } = firstOutcomes(waiting, keys);
    expect(outcomesIn(late.stdout)).toEqual(first);
  });

  it('names the claim that is broken', async () => {
    const told = JSON.parse(bundles.confirmed);
    told.request.payment.amount = '9999';
    const verified = await run('verify.py', canonicalJson(told));
    expect(verified.status).toBe(1);
    expect(verified.stdout).toMatch(/^✗ facts +The digest is not that of these facts\.$/m);
    expect(verified.stdout).toMatch(/^✗ service_signature /m);
  });
});
