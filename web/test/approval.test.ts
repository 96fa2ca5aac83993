import { decide, newDecisionKey, putKey } from '@payassent/proof/people/decision-keys';
import { succeed } from '@payassent/proof/people/merchants';
import { type PaymentStage, paymentStage, pendingRequest } from '@payassent/proof/people/payments';
import { enrolDevice } from '@payassent/proof/people/wallets';
import { startService, type TestService } from '@payassent/proof/service/service';
import { type PaymentRequest, type SignedDecision, WalletClient } from '@payassent/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkPayee, type LogTools } from '../src/wallet/log/check-payee.ts';
import {
  type ApprovalTools,
  approvePayment,
  rejectPayment,
  resumePayment,
} from '../src/wallet/payments/approval.ts';
import { readPayment, reportPayment } from '../src/wallet/payments/gateway.ts';
import { hasPinnedFacts, type Payment, paymentOfRequest } from '../src/wallet/payments/payment.ts';
import type { Signer, Submission } from '../src/wallet/signing/signer.ts';
import type { JournalEntry } from '../src/wallet/storage/journal.ts';

const HASH = 'a1'.repeat(32);

/** A signer that counts its calls, on a network with the given outcomes. */
function countingSigner(answers: Submission['outcome'][] = []) {
  const seen = { signed: 0, sent: [] as string[] };
  const discarded: string[] = [];
  const signer: Signer = {
    id: 'counting',
    canSign: async () => ({ can: 'here' }),
    sign: async () => {
      seen.signed += 1;
      return { txHash: HASH, envelope: `envelope ${seen.signed}` };
    },
    submit: async (_payment, { envelope }) => {
      seen.sent.push(envelope ?? '');
      const answer = answers.shift();
      return answer === 'unreachable' || answer === 'refused'
        ? { outcome: answer, why: 'not now' }
        : { outcome: 'confirmed', txHash: HASH };
    },
    discard: async ({ envelope }) => void discarded.push(envelope ?? ''),
  };
  return { signer, seen, discarded };
}

describe('an approval', () => {
  let service: TestService;
  let stage: PaymentStage;
  let wallet: WalletClient;

  beforeAll(async () => {
    service = await startService();
    stage = await paymentStage(service);
    wallet = clientOf(stage.device.token);
  });
  afterAll(() => service?.close());

  const clientOf = (deviceToken: string) => new WalletClient({ baseUrl: service.url, deviceToken });
  const fresh = async (): Promise<Payment> =>
    paymentOfRequest((await pendingRequest(service, stage)) as unknown as PaymentRequest);

  /** One device: its client, and a journal that survives thrown errors. */
  const device = (client: WalletClient, signer: Signer): ApprovalTools => {
    const entries = new Map<string, JournalEntry>();
    return {
      read: (payment) => readPayment(client, payment),
      report: (payment, report) => reportPayment(client, payment, report),
      deciding: (act) => act(async () => undefined),
      journal: {
        read: async ({ key }) => entries.get(key),
        keep: async ({ key }, entry) => void entries.set(key, entry),
        drop: async ({ key }) => void entries.delete(key),
      },
      signerById: () => signer,
      exclusively: (_key, act) => act(),
    };
  };

  it('signs once, sends after the service accepted the signature, and reports to the end', async () => {
    const { signer, seen } = countingSigner();
    const tools = device(wallet, signer);
    const { payment } = await approvePayment(tools, await fresh(), signer);
    expect(payment).toMatchObject({ status: 'confirmed', txHash: HASH });
    expect(seen).toEqual({ signed: 1, sent: ['envelope 1'] });
  });

  it.each(['before', 'after'] as const)(
    'never signs again when it ended %s the service got the signature',
    async (when) => {
      const { signer, seen } = countingSigner();
      const tools = device(wallet, signer);
      const crashing: ApprovalTools = {
        ...tools,
        report: async (payment, report) => {
          if (when === 'after') await tools.report(payment, report);
          throw new Error('the page was closed');
        },
      };
      const asked = await fresh();
      await expect(approvePayment(crashing, asked, signer)).rejects.toThrow('the page was closed');
      expect(seen).toEqual({ signed: 1, sent: [] });
      const { payment } = await (when === 'after'
        ? resumePayment(tools, asked)
        : approvePayment(tools, asked, signer));
      expect(payment.status).toBe('confirmed');
      expect(seen).toEqual({ signed: 1, sent: ['envelope 1'] });
    },
  );

  it.each(['unreachable', 'refused'] as const)(
    'stays signed while the network is %s, and sends the same envelope later',
    async (outcome) => {
      const { signer, seen } = countingSigner([outcome]);
      const tools = device(wallet, signer);
      const stopped = await approvePayment(tools, await fresh(), signer);
      expect(stopped.payment.status).toBe('signed');
      const { payment } = await resumePayment(tools, stopped.payment);
      expect(payment.status).toBe('confirmed');
      expect(seen).toEqual({ signed: 1, sent: ['envelope 1', 'envelope 1'] });
    },
  );

  it('lets only one of two devices send, also when the other one had signed before it lost the network', async () => {
    const code = await wallet.devices.createLinkCode();
    const other = clientOf((await enrolDevice(service, { link_code: code.link_code })).token);
    const first = countingSigner();
    const second = countingSigner();
    const firstTools = device(wallet, first.signer);
    const secondTools = device(other, second.signer);
    const asked = await fresh();
    const offline: ApprovalTools = {
      ...secondTools,
      report: () => Promise.reject(new Error('no network')),
    };
    await expect(approvePayment(offline, asked, second.signer)).rejects.toThrow('no network');
    await approvePayment(firstTools, asked, first.signer);
    const { submission } = await resumePayment(secondTools, asked);
    expect(submission).toBeUndefined();
    expect([first.seen.sent.length, second.seen.sent.length]).toEqual([1, 0]);
  });

  it('refuses when another device has signed in the meantime and deletes its own signature', async () => {
    const code = await wallet.devices.createLinkCode();
    const other = clientOf((await enrolDevice(service, { link_code: code.link_code })).token);
    const asked = await fresh();
    await reportPayment(other, asked, { status: 'signed', txHash: 'b2'.repeat(32) });
    const { signer, seen, discarded } = countingSigner();
    const tools = device(wallet, signer);
    await tools.journal.keep(asked, { signerId: 'counting', txHash: HASH, envelope: 'mine' });
    await expect(resumePayment(tools, asked)).rejects.toMatchObject({ code: 'status_conflict' });
    expect(seen.sent).toEqual([]);
    expect(await tools.journal.read(asked)).toBeUndefined();
    expect(discarded).toEqual(['mine']);
  });

  it('throws away what it had signed when the customer rejects after an interrupted approval', async () => {
    const { signer, seen, discarded } = countingSigner();
    const tools = device(wallet, signer);
    const offline: ApprovalTools = { ...tools, report: () => Promise.reject(new Error('no network')) };
    const asked = await fresh();
    await expect(approvePayment(offline, asked, signer)).rejects.toThrow('no network');
    const why = { reasonCode: 'declined_by_user' };
    await expect(rejectPayment(offline, asked, why)).rejects.toThrow('no network');
    expect(discarded).toEqual([]);
    expect((await rejectPayment(tools, asked, why)).status).toBe('rejected');
    expect([seen.sent, discarded]).toEqual([[], ['envelope 1']]);
    expect(await tools.journal.read(asked)).toBeUndefined();
  });

  it('requests another decision when the service refused the one it kept, and signs no second transaction', async () => {
    const keyed = await paymentStage(service);
    const key = newDecisionKey();
    await succeed(putKey(service, keyed.device, key));
    const request = await pendingRequest(service, keyed);
    const asked = paymentOfRequest(request as unknown as PaymentRequest);
    const other = await pendingRequest(service, keyed);
    const made = [other, request].map((about) =>
      decide(about, keyed.device, key, 'approve', service.clock.now()),
    );
    const steps: string[] = [];
    const { signer, seen } = countingSigner();
    const plain = device(clientOf(keyed.device.token), signer);
    const tools: ApprovalTools = {
      ...plain,
      report: (payment, report) => {
        steps.push(report.status);
        return plain.report(payment, report);
      },
      deciding: async (act) => {
        steps.push('turn begins');
        try {
          return await act(async () => made.shift() as SignedDecision);
        } finally {
          steps.push('turn ends');
        }
      },
    };
    await expect(approvePayment(tools, asked, signer)).rejects.toMatchObject({
      code: 'decision_signature_invalid',
    });
    const { payment } = await approvePayment(tools, asked, signer);
    expect(payment.status).toBe('confirmed');
    expect(seen).toEqual({ signed: 1, sent: ['envelope 1'] });
    const turn = ['turn begins', 'signed', 'turn ends'];
    expect(steps).toEqual([...turn, ...turn, 'broadcasted', 'confirmed']);
  });

  it('is not offered for a domain in another spelling, which is drawn nowhere, whether or not evidence can be read', async () => {
    const request = (await pendingRequest(service, stage)) as unknown as PaymentRequest;
    const { domain } = request.payee;
    const unreachable = () => Promise.reject(new Error('no network'));
    const tools: LogTools = {
      ...{ evidence: unreachable, keys: unreachable, readTile: unreachable },
      known: async () => undefined,
      keep: async () => {},
    };
    const stateOf = async (payment: Payment) => (await checkPayee(tools, payment)).state;
    expect(await stateOf(paymentOfRequest(request))).toBe('unreachable');
    for (const spelled of [domain.toUpperCase(), `${domain}.`, `b\u00fccher.${domain}`]) {
      const payment = paymentOfRequest({ ...request, payee: { ...request.payee, domain: spelled } });
      expect(payment.payee).toMatchObject({ domain: undefined, isMisspelled: true });
      expect(await stateOf(payment)).toBe('broken');
    }
  });

  it('signs nothing when the details are no longer those that were shown', async () => {
    const { signer, seen } = countingSigner();
    const tools = device(wallet, signer);
    const asked = await fresh();
    const changed = { ...asked, facts: { ...asked.facts, amount: '13' } };
    expect([hasPinnedFacts(asked), hasPinnedFacts(changed)]).toEqual([true, false]);
    await expect(
      approvePayment({ ...tools, read: async () => changed }, asked, signer),
    ).rejects.toMatchObject({ name: 'FactsChangedError' });
    expect(seen.signed).toBe(0);
  });
});
