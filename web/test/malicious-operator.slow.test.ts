// Slow: lets a lying host serve a browser, a verifier and a monitor.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type LyingOperator,
  lyingOperator,
  MISSPELT,
  underDomain,
} from '@payassent/proof/log/lying-operator';
import { readLog } from '@payassent/proof/log/public-log';
import { startWitness } from '@payassent/proof/log/witness';
import { newDecisionKey, putKey, type TestDecisionKey } from '@payassent/proof/people/decision-keys';
import { allIntegrated, evidenceOf, finishedPayment } from '@payassent/proof/people/evidence';
import { succeed } from '@payassent/proof/people/merchants';
import { type PaymentStage, paymentStage, pendingRequest } from '@payassent/proof/people/payments';
import type { Body } from '@payassent/proof/service/client';
import { type PayAssent, payassent } from '@payassent/proof/service/command';
import { startService, type TestService } from '@payassent/proof/service/service';
import { evidenceDigest, factsDigest } from '@payassent/protocol';
import { clearEntryText, verifyEvidence } from '@payassent/protocol/evidence';
import { openCheckpoint } from '@payassent/protocol/log';
import type { EvidenceBundle, PaymentRequest } from '@payassent/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkPayee, type KnownLog, type PayeeCheck } from '../src/wallet/log/check-payee.ts';
import { type Payment, paymentOfRequest } from '../src/wallet/payments/payment.ts';

const OTHER_ADDRESS = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';

let service: TestService;
let stage: PaymentStage;
let key: TestDecisionKey;
let cli: PayAssent;
let folder: string;
beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
  key = newDecisionKey();
  await succeed(putKey(service, stage.device, key));
  cli = await payassent();
  folder = await mkdtemp(join(tmpdir(), 'payassent-operator-'));
});
afterAll(async () => {
  await cli?.remove();
  if (folder) await rm(folder, { recursive: true, force: true });
  await service?.close();
});

/** A wallet with its own record of the log, reading from the host over HTTP. */
function walletOf(operator: LyingOperator) {
  let known: KnownLog | undefined;
  return {
    check: (payment: Payment, bundle: string): Promise<PayeeCheck> =>
      checkPayee(
        {
          evidence: async () => JSON.parse(bundle) as EvidenceBundle,
          keys: async () => operator.keys,
          readTile: async (path) =>
            new Uint8Array(await (await fetch(`${operator.url}/log/${path}`)).arrayBuffer()),
          known: async () => known,
          keep: async (seen) => {
            known = seen;
          },
        },
        payment,
      ),
  };
}

/** The owner of the domain, who knows the payees of the honest log and no other. */
async function monitorOf(operator: LyingOperator, entries: readonly string[]) {
  const place = await mkdtemp(join(folder, 'monitor-'));
  await writeFile(join(place, 'known.txt'), entries.join('\n'));
  const watched = ['--domain', stage.merchant.domain, '--known', join(place, 'known.txt')];
  const args = ['monitor', '--base-url', operator.url, '--once', '--json', ...watched];
  return {
    look: async () => (await cli.here([...args, '--state', join(place, 'state.json')])).lines[0],
  };
}

const brokenClaims = (bundle: string, operator: LyingOperator, checkpoint?: string) =>
  verifyEvidence(bundle, { keys: operator.keys, ...(checkpoint === undefined ? {} : { checkpoint }) })
    .claims.filter(({ status }) => status === 'broken')
    .map(({ claim }) => claim);

/** The host's own address instead of the payee's, in everything that one customer is shown. */
function swapped(record: PaymentRequest) {
  const payment = { ...record.payment, to: OTHER_ADDRESS };
  const { recipient_version_id } = record.payee;
  const facts_digest = factsDigest({ ...payment, recipient_version_id });
  let activation = '';
  const change = (told: Body) => {
    told.request.payment.to = OTHER_ADDRESS;
    told.request.facts_digest = facts_digest;
    told.payee.facts.address = OTHER_ADDRESS;
    const { evidence } = told.payee;
    evidence.input.address = OTHER_ADDRESS;
    evidence.evidence_digest = evidenceDigest(evidence.input);
    told.request.payee.evidence_digest = evidence.evidence_digest;
    const { domain } = evidence.input;
    const at = new Date(JSON.parse(told.log.entries[0].entry).at);
    activation = clearEntryText('payee.activated', at, { domain, evidence_digest: evidence.evidence_digest });
  };
  return {
    payment: paymentOfRequest({ ...record, payment, facts_digest }),
    change,
    withActivation: (told: Body) => {
      change(told);
      told.log.entries = [{ entry: activation }];
    },
    activation: (honest: string) => {
      change(JSON.parse(honest));
      return activation;
    },
  };
}

describe('a malicious host', () => {
  let operator: LyingOperator;
  let entries: string[];
  let record: PaymentRequest;
  let honest: string;
  let wallet: ReturnType<typeof walletOf>;
  let monitor: Awaited<ReturnType<typeof monitorOf>>;
  beforeEach(async () => {
    const request = await pendingRequest(service, stage);
    record = request as unknown as PaymentRequest;
    await allIntegrated(service);
    honest = await evidenceOf(service, request.request_id, { bearer: stage.connectionToken });
    entries = (await readLog(service.url)).entries;
    operator = await lyingOperator();
    operator.show(entries);
    // While the host is honest, every check passes.
    wallet = walletOf(operator);
    monitor = await monitorOf(operator, entries);
    expect((await wallet.check(paymentOfRequest(record), operator.issue(honest))).state).toBe('verified');
    expect(await monitor.look()).toEqual({ ok: true, size: entries.length });
  });

  it('who swaps a payee for one customer is found by the wallet, with and without a log made for that customer', async () => {
    const lie = swapped(record);
    const told = (change: (told: Body) => void) => wallet.check(lie.payment, operator.issue(honest, change));
    expect(await told(lie.change)).toMatchObject({
      state: 'broken',
      why: 'The entry is about another payee.',
    });
    const bare = (told: Body) => {
      lie.change(told);
      told.log.entries = [];
    };
    expect(await told(bare)).toEqual({ state: 'not_logged' });
    // The honest record on the screen, and the evidence of another payee.
    const crossed = await wallet.check(paymentOfRequest(record), operator.issue(honest, lie.withActivation));
    expect(crossed.state).toBe('broken');
    const index = entries.indexOf(JSON.parse(honest).log.entries[0].entry);
    operator.show(entries.with(index, lie.activation(honest)));
    expect(await told(lie.withActivation)).toEqual({ state: 'forked' });
    operator.show([...entries.with(index, lie.activation(honest)), ...entries]);
    expect(await told(lie.withActivation)).toEqual({ state: 'forked' });
  });

  it('who swaps a payee and puts it into the one log is found by the monitor of the domain', async () => {
    const lie = swapped(record);
    operator.show([...entries, lie.activation(honest)]);
    expect(await monitor.look()).toMatchObject({ ok: false, alarm: 'unknown_payee' });
  });

  it.each(MISSPELT)(
    'who spells a domain with %s is found by the wallet, which offers no approval',
    async (_, domain) => {
      const { entry, change } = underDomain(honest, domain);
      operator.show([...entries, entry]);
      const payee = { ...record.payee, domain };
      const payment = paymentOfRequest({ ...record, payee });
      expect((await wallet.check(payment, operator.issue(honest, change))).state).toBe('broken');
      // Nor when the entry is withheld.
      const bare = (told: Body) => {
        change(told);
        told.log.entries = [];
      };
      expect((await wallet.check(payment, operator.issue(honest, bare))).state).toBe('broken');
    },
  );

  it('who rewrites a decision is found by the verifier', async () => {
    const { bundle } = await finishedPayment(service, stage, key, 'rejected');
    operator.show((await readLog(service.url)).entries);
    expect(brokenClaims(operator.issue(bundle), operator)).toEqual([]);
    const rewritten = operator.issue(bundle, (told) => {
      told.decision.decision = 'approve';
      told.decision.statement = told.decision.statement.replace('"reject"', '"approve"');
      told.history[0].status = 'signed';
    });
    expect(brokenClaims(rewritten, operator)).toEqual(
      expect.arrayContaining(['decision', 'decision_logged', 'final_logged']),
    );
  });

  it('who back-dates an entry is found by the monitor, and by the verifier where the log has it with another time', async () => {
    const activation = JSON.parse(honest).log.entries[0].entry as string;
    const early = activation.replace(/"at":"\d{4}/, '"at":"2001');
    const dated = (told: Body) => {
      told.log.entries[0].entry = early;
    };
    expect(brokenClaims(operator.issue(honest, dated), operator)).toEqual(['log']);
    operator.show([...entries, early]);
    expect(brokenClaims(operator.issue(honest, dated), operator)).toEqual([]);
    expect(await monitor.look()).toMatchObject({ ok: false, alarm: 'backdated' });
  });

  it('who forks the log for two readers is found by wallet, monitor and verifier, and refused by a witness', async () => {
    const elsewhere = operator.checkpoint();
    const witness = await startWitness('witness.example', new Uint8Array(32).fill(9));
    try {
      witness.trust(operator.logKey);
      const asked = { text: `old 0\n\n${elsewhere}` };
      expect(witness.answer(asked)).toMatchObject({ status: 200 });
      operator.show([...entries.slice(0, -1), clearEntryText('payee.archived', new Date(), ARCHIVED)]);
      expect(await wallet.check(paymentOfRequest(record), operator.issue(honest))).toEqual({
        state: 'forked',
      });
      expect(await monitor.look()).toMatchObject({ ok: false, alarm: 'forked' });
      expect(brokenClaims(operator.issue(honest), operator, elsewhere)).toEqual(['checkpoint']);
      const { size } = openCheckpoint(elsewhere, operator.logKey)?.checkpoint ?? { size: 0 };
      expect(witness.answer({ text: `old ${size}\n\n${operator.checkpoint()}` })).toMatchObject({
        status: 422,
      });
    } finally {
      await witness.receiver.close();
    }
  });

  it('who hides an activation is found by the wallet, which then calls nothing verified, and by the monitor', async () => {
    const hidden = JSON.parse(honest).log.entries[0].entry as string;
    operator.show(entries.filter((entry) => entry !== hidden));
    const issued = operator.issue(honest, (told) => {
      told.log.entries = [{ entry: hidden, pending: true }];
    });
    expect(await wallet.check(paymentOfRequest(record), issued)).toEqual({ state: 'not_logged' });
    expect((await wallet.check(paymentOfRequest(record), operator.issue(honest))).state).toBe('broken');
    expect((await monitor.look()).alarm).toBe('shrunk');
  });
});

const ARCHIVED = { domain: 'shop.example', evidence_digest: `sha256:${'0'.repeat(64)}` };
