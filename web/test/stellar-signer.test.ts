import { stellarAddress } from '@payassent/proof/people/payees';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stellar } from '../src/texts/wallet/stellar.ts';
import type { Payment } from '../src/wallet/payments/payment.ts';
import type { SignedPayment, Signer } from '../src/wallet/signing/signer.ts';
import { createHorizon } from '../src/wallet/stellar/horizon.ts';
import {
  type AccountNumbers,
  holdNumber,
  markUsed,
  nextNumber,
  numbersNow,
  releaseNumber,
} from '../src/wallet/stellar/sequence-numbers.ts';
import { createStellarSigner } from '../src/wallet/stellar/stellar-signer.ts';
import { generateTestKey, signWithTestKey, type TestKey } from '../src/wallet/stellar/test-key.ts';
import { readEnvelope } from '../src/wallet/stellar/transaction.ts';
import { startHorizon, type TestHorizon } from './harness/horizon.ts';

const NOW = new Date('2026-03-04T12:00:00.000Z');
const SOON = NOW.getTime() / 1_000 + 60;

describe('sequence numbers of an account', () => {
  const held = (...numbers: number[]): AccountNumbers => ({
    lastUsed: 41n,
    held: numbers.map((sequence) => ({ sequence: BigInt(sequence), validUntil: SOON })),
  });

  it('continue behind what is used and what is held, and fill what was given back', () => {
    expect(nextNumber(held())).toBe(42n);
    expect(nextNumber(held(42, 43))).toBe(44n);
    expect(nextNumber(releaseNumber(held(42, 43, 44), 43n))).toBe(43n);
    expect(nextNumber(holdNumber(held(42), { sequence: 43n, validUntil: SOON }))).toBe(44n);
  });

  it('are held no longer than their transaction can be carried out, nor when the network has passed them', () => {
    const later = new Date(NOW.getTime() + 61_000);
    expect(numbersNow(held(42, 43), 41n, NOW).held).toHaveLength(2);
    expect(nextNumber(numbersNow(held(42, 43), 41n, later))).toBe(42n);
    expect(nextNumber(numbersNow(held(42, 44), 43n, NOW))).toBe(45n);
  });

  it('are not used again when the network is read from a place that lags behind', () => {
    const used = markUsed(held(42), 42n);
    expect(used.lastUsed).toBe(42n);
    expect(nextNumber(numbersNow(used, 41n, NOW))).toBe(43n);
  });
});

describe('a test key on its network', () => {
  let network: TestHorizon;
  let key: TestKey;
  let numbers: AccountNumbers | undefined;
  let now: Date;
  let signer: Signer;
  const payee = stellarAddress();

  beforeAll(async () => {
    network = await startHorizon([payee]);
  });
  afterAll(() => network?.close());
  beforeEach(async () => {
    key = await generateTestKey();
    await createHorizon(network.url).fund(key.address);
    Object.assign(network, { isDown: false, refusal: undefined });
    numbers = undefined;
    now = new Date();
    let turn: Promise<unknown> = Promise.resolve();
    signer = createStellarSigner({
      id: 'test',
      ability: async () => ({ can: 'here' }),
      horizon: async () => createHorizon(network.url),
      source: async () => ({ address: key.address, sign: ({ hash }) => signWithTestKey(key, hash) }),
      unfunded: stellar.signer.unfunded,
      numbers: async () => numbers,
      keepNumbers: async (_address, next) => {
        numbers = next;
      },
      exclusively: (act) => {
        const mine = turn.then(act);
        turn = mine.catch(() => undefined);
        return mine;
      },
      now: () => now,
    });
  });

  const payment = (minutes = 60): Payment =>
    ({
      facts: { network: 'stellar_testnet', asset: 'XLM', amount: '1', to: payee },
      expiresAt: new Date(now.getTime() + minutes * 60_000).toISOString(),
    }) as Payment;
  const sign = (minutes?: number): Promise<SignedPayment> => signer.sign(payment(minutes));
  const send = async (signed: SignedPayment) => (await signer.submit(payment(), signed)).outcome;
  const sequenceOf = ({ envelope }: SignedPayment) => readEnvelope(envelope ?? '').sequence;

  it('reads whose number an envelope uses up', async () => {
    expect(readEnvelope((await sign()).envelope ?? '')).toEqual({ source: key.address, sequence: 42n });
  });

  it('gives two payments that are approved at the same time two numbers, which both arrive', async () => {
    const [first, second] = await Promise.all([sign(), sign()]);
    expect([sequenceOf(first), sequenceOf(second)]).toEqual([42n, 43n]);
    expect([await send(first), await send(second)]).toEqual(['confirmed', 'confirmed']);
  });

  it('continues after a payment that was never sent, once it is too late for that one', async () => {
    const unsent = await sign(1);
    const waiting = await sign();
    expect(await signer.submit(payment(), waiting)).toMatchObject({
      outcome: 'refused',
      why: expect.stringContaining('tx_bad_seq'),
    });
    now = new Date(now.getTime() + 2 * 60_000);
    const next = await sign();
    expect(sequenceOf(next)).toBe(sequenceOf(unsent));
    expect([await send(next), await send(waiting)]).toEqual(['confirmed', 'confirmed']);
    expect(await send(unsent)).toBe('failed');
  });

  it('continues immediately after one that was thrown away, or that the network can never take', async () => {
    await signer.discard?.(await sign());
    const tooLate = await sign(-1);
    expect(sequenceOf(tooLate)).toBe(42n);
    expect(await send(tooLate)).toBe('failed');
    network.refusal = 'tx_bad_auth';
    expect(await send(await sign())).toBe('failed');
    network.refusal = undefined;
    expect(await send(await sign())).toBe('confirmed');
  });

  it.each(['tx_insufficient_balance', 'tx_insufficient_fee', 'tx_no_source_account'])(
    'reports that the network refused with %s and stays signed',
    async (code) => {
      const signed = await sign();
      network.refusal = code;
      expect(await signer.submit(payment(), signed)).toMatchObject({
        outcome: 'refused',
        why: expect.stringContaining(code),
      });
      network.refusal = undefined;
      expect(await send(signed)).toBe('confirmed');
    },
  );

  it('reports an unknown outcome while the network is away, and signs on with the numbers it knows', async () => {
    const signed = await sign();
    network.isDown = true;
    expect(await send(signed)).toBe('unreachable');
    expect(sequenceOf(await sign())).toBe(43n);
    network.isDown = false;
    expect([await send(signed), await send(signed)]).toEqual(['confirmed', 'confirmed']);
  });

  it('signs nothing for an account that does not exist, nor before the network has named a number', async () => {
    key = await generateTestKey();
    await expect(sign()).rejects.toThrow('Get lumens from the faucet');
    network.isDown = true;
    await expect(sign()).rejects.toThrow('has not been reached with this account yet');
  });
});
