import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type LyingOperator,
  lyingOperator,
  MISSPELT,
  underDomain,
  VICTIM,
} from '@payassent/proof/log/lying-operator';
import { readLog } from '@payassent/proof/log/public-log';
import { newDecisionKey, putKey } from '@payassent/proof/people/decision-keys';
import { finishedPayment } from '@payassent/proof/people/evidence';
import { succeed } from '@payassent/proof/people/merchants';
import { paymentStage } from '@payassent/proof/people/payments';
import type { Body } from '@payassent/proof/service/client';
import { type PayAssent, payassent } from '@payassent/proof/service/command';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { firstOutcomes, hasPython, outcomesIn, runPython } from './harness/second-verifier.ts';

let service: TestService;
let cli: PayAssent;
let folder: string;
let honest: string;
let entries: string[];
beforeAll(async () => {
  service = await startService();
  const stage = await paymentStage(service);
  const key = newDecisionKey();
  await succeed(putKey(service, stage.device, key));
  honest = (await finishedPayment(service, stage, key, 'confirmed')).bundle;
  entries = (await readLog(service.url)).entries;
  cli = await payassent();
  folder = await mkdtemp(join(tmpdir(), 'payassent-host-'));
});
afterAll(async () => {
  await cli?.remove();
  if (folder) await rm(folder, { recursive: true, force: true });
  await service?.close();
});

/** The outcome of every claim, on which the command, the function and the second verifier agree. */
async function verdict(bundle: string, { keys }: LyingOperator) {
  const outcomes = firstOutcomes(bundle, keys);
  const files = { bundle: join(folder, 'bundle.json'), keys: join(folder, 'keys.json') };
  await writeFile(files.bundle, bundle);
  await writeFile(files.keys, JSON.stringify({ keys }));
  const command = await cli.here(['verify', files.bundle, '--keys', files.keys]);
  expect(outcomesIn(command.stdout)).toEqual(outcomes);
  if (hasPython) {
    const second = await runPython(folder, 'verify.py', bundle, keys);
    const { checkpoint: _, witnesses: __, ...both } = outcomes;
    expect(outcomesIn(second.stdout), second.stdout).toEqual(both);
    expect(second.status).toBe(command.code);
  }
  return { code: command.code, stdout: command.stdout, outcomes };
}

const later = (time: string, seconds: number) => new Date(Date.parse(time) + seconds * 1000).toISOString();
const withoutTypes = (told: Body, ...types: string[]) => {
  told.log.entries = told.log.entries.filter((one: Body) => !types.includes(JSON.parse(one.entry).type));
};

describe('a lying host', () => {
  let host: LyingOperator;
  beforeEach(async () => {
    host = await lyingOperator();
    host.show(entries);
    expect(await verdict(host.issue(honest), host)).toMatchObject({ code: 0 });
  });

  it.each(MISSPELT)(
    'cannot hide a payee from the owner of its domain by %s: verifiers refuse it and every monitor alarms',
    async (_, domain) => {
      const { entry, change } = underDomain(honest, domain);
      host.show([...entries, entry]);
      const { code, outcomes } = await verdict(host.issue(honest, change), host);
      expect(code).toBe(1);
      expect(outcomes).toMatchObject({ payee: 'broken', payee_logged: 'not_claimed', log: 'broken' });
      await writeFile(join(folder, 'known.txt'), entries.join('\n'));
      const watch = (name: string) => ['--domain', name, '--known', join(folder, 'known.txt')];
      for (const watched of [watch(VICTIM), watch('other.example'), []]) {
        const args = ['monitor', '--base-url', host.url, '--once', '--json', ...watched];
        const { code: exit, lines } = await cli.here(args);
        expect(exit).toBe(1);
        expect(lines).toMatchObject([{ ok: false, alarm: 'unreadable_entry' }]);
      }
    },
  );

  it('shows a payee under its domain in the one spelling, and the owner, however they spell it, is warned', async () => {
    const { entry, change } = underDomain(honest, VICTIM);
    host.show([...entries, entry]);
    expect(await verdict(host.issue(honest, change), host)).toMatchObject({
      code: 0,
      outcomes: { payee_logged: 'holds' },
    });
    await writeFile(join(folder, 'known.txt'), '');
    for (const spelling of [VICTIM, 'VICTIM.example.', ' victim.example']) {
      const watch = ['--domain', spelling, '--known', join(folder, 'known.txt')];
      const { code, lines } = await cli.here([
        'monitor',
        '--base-url',
        host.url,
        '--once',
        '--json',
        ...watch,
      ]);
      expect(code).toBe(1);
      expect(lines).toMatchObject([{ ok: false, alarm: 'unknown_payee' }]);
    }
    const watch = ['--domain', 'not a domain', '--known', join(folder, 'known.txt')];
    expect((await cli.here(['monitor', '--base-url', host.url, '--once', ...watch])).code).toBe(2);
  });

  it('cannot invent an approval: a key and a decision that are not in the log prove nothing', async () => {
    const made = newDecisionKey();
    const invented = (seconds: number) =>
      host.issue(honest, (told) => {
        Object.assign(told.decision, {
          key: made.key,
          key_thumbprint: made.thumbprint,
          signature: made.sign(told.decision.statement),
        });
        withoutTypes(told, 'decision_key', 'decision');
        told.as_of = later(told.decision.decided_at, seconds);
      });
    const old = await verdict(invented(61), host);
    expect(old.code).toBe(1);
    expect(old.outcomes).toMatchObject({
      decision_key: 'broken',
      decision: 'broken',
      decision_logged: 'broken',
    });
    const young = await verdict(invented(60), host);
    expect(young.outcomes).toMatchObject({
      decision_key: 'not_claimed',
      decision: 'not_claimed',
      decision_logged: 'not_claimed',
      history: 'service_word',
    });
  });

  it('cannot take a decision away that the events record', async () => {
    const taken = host.issue(honest, (told) => {
      told.decision = null;
      withoutTypes(told, 'decision_key', 'decision');
    });
    const { code, outcomes } = await verdict(taken, host);
    expect(code).toBe(1);
    expect(outcomes).toMatchObject({ decision: 'not_claimed', history: 'broken' });
  });

  it('cannot pass an invented settlement off as proved, nor make the command print its own claim', async () => {
    const invented = host.issue(honest, (told) => {
      told.settlement = {
        state: 'final"\n✓ settlement The chain',
        transaction: { tx_hash: 'ab12' },
        differences: [],
      };
    });
    const { code, outcomes, stdout } = await verdict(invented, host);
    expect(code).toBe(0);
    expect(outcomes).toMatchObject({ settlement: 'service_word', looked_up: 'service_word' });
    expect(stdout).toMatch(/^• settlement +the service's word: /m);
  });

  it('cannot sign with a key after its retirement, or before it was made', async () => {
    const { as_of } = JSON.parse(honest);
    const issued = host.issue(honest);
    const withLife = async (use: 'evidence' | 'log', life: { created_at?: string; retired_at?: string }) => {
      const keys = host.keys.map((key) => (key.use === use ? { ...key, ...life } : key));
      return (await verdict(issued, { ...host, keys })).outcomes;
    };
    expect(await withLife('evidence', { retired_at: later(as_of, -1) })).toMatchObject({
      service_signature: 'broken',
    });
    expect(await withLife('evidence', { created_at: later(as_of, 1) })).toMatchObject({
      service_signature: 'broken',
    });
    expect(await withLife('log', { created_at: later(as_of, 1) })).toMatchObject({ log: 'broken' });
    expect(await withLife('log', { retired_at: later(as_of, -60) })).toMatchObject({ log: 'broken' });
    expect(await withLife('log', { retired_at: later(as_of, 1) })).toMatchObject({ log: 'holds' });
  });
});
