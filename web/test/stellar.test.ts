import { withTypo } from '@payassent/proof/surroundings/hostile-inputs';
import { Account, Asset, Keypair, Memo, Operation, TransactionBuilder } from '@stellar/stellar-base';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  exportTestKey,
  generateTestKey,
  importTestKey,
  signWithTestKey,
} from '../src/wallet/stellar/test-key.ts';
import { type StellarPayment, signPayment, TESTNET_PASSPHRASE } from '../src/wallet/stellar/transaction.ts';

const accounts = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((seed) => Keypair.fromRawEd25519Seed(Buffer.from(seed)));

const stroops = fc.bigInt({ min: 1n, max: 2n ** 63n - 1n });
const memos = fc.option(
  fc.oneof(
    fc
      .string({ unit: 'grapheme', maxLength: 7 })
      .filter((text) => Buffer.byteLength(text) <= 28 && text !== ''),
    fc.uint8Array({ minLength: 32, maxLength: 32 }).map((hash) => Buffer.from(hash).toString('hex')),
  ),
);
const assets = fc.option(fc.tuple(fc.stringMatching(/^[A-Za-z0-9]{1,12}$/), accounts));

function decimal(value: bigint): string {
  const text = value.toString().padStart(8, '0');
  return `${text.slice(0, -7)}.${text.slice(-7)}`;
}

/** The same transaction, built by the library that Stellar itself keeps. */
function reference(payment: StellarPayment, source: Keypair) {
  const builder = new TransactionBuilder(new Account(payment.source, (payment.sequence - 1n).toString()), {
    fee: String(payment.fee),
    networkPassphrase: TESTNET_PASSPHRASE,
    timebounds: { minTime: 0, maxTime: payment.validUntil },
  });
  const asset = payment.issuer === null ? Asset.native() : new Asset(payment.asset, payment.issuer);
  const { destination, amount } = payment;
  builder.addOperation(
    payment.createsDestination
      ? Operation.createAccount({ destination, startingBalance: amount })
      : Operation.payment({ destination, amount, asset }),
  );
  const { memo } = payment;
  if (memo !== null) builder.addMemo(memo.length === 64 ? Memo.hash(memo) : Memo.text(memo));
  const transaction = builder.build();
  transaction.sign(source);
  return { txHash: transaction.hash().toString('hex'), envelope: transaction.toEnvelope().toXDR('base64') };
}

describe('a payment on Stellar', () => {
  it('is byte for byte what the library of Stellar makes of the same details', async () => {
    await fc.assert(
      fc.asyncProperty(
        accounts,
        accounts,
        stroops,
        memos,
        assets,
        fc.boolean(),
        async (from, to, amount, memo, asset, isNew) => {
          const payment: StellarPayment = {
            source: from.publicKey(),
            sequence: (amount % 1_000_000n) + 1n,
            fee: 100,
            destination: to.publicKey(),
            amount: decimal(amount),
            asset: asset === null ? 'XLM' : asset[0],
            issuer: asset === null ? null : asset[1].publicKey(),
            memo,
            validUntil: 2_000_000_000,
            createsDestination: isNew && asset === null,
          };
          const signed = await signPayment(payment, async ({ hash }) => from.sign(Buffer.from(hash)));
          expect(signed).toEqual(reference(payment, from));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('reaches a muxed account', async () => {
    const from = Keypair.random();
    const payment: StellarPayment = {
      source: from.publicKey(),
      sequence: 8n,
      fee: 200,
      destination: 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK',
      amount: '1.5',
      asset: 'XLM',
      issuer: null,
      memo: null,
      validUntil: 1_900_000_000,
      createsDestination: false,
    };
    const signed = await signPayment(payment, async ({ hash }) => from.sign(Buffer.from(hash)));
    expect(signed).toEqual(reference(payment, from));
  });

  it('is refused when Stellar cannot carry the amount or the destination', async () => {
    const from = Keypair.random().publicKey();
    const payment = (changes: Partial<StellarPayment>): StellarPayment => ({
      ...{ source: from, sequence: 1n, fee: 100, destination: from, amount: '1', asset: 'XLM', issuer: null },
      ...{ memo: null, validUntil: 1, createsDestination: false, ...changes },
    });
    const sign = async () => new Uint8Array(64);
    for (const changes of [
      { amount: '0.00000001' },
      { amount: '922337203685.4775808' },
      { destination: 'nobody' },
      { createsDestination: true, asset: 'USD', issuer: from },
    ])
      await expect(signPayment(payment(changes), sign), JSON.stringify(changes)).rejects.toThrow();
  });
});

describe('a key of the test network', () => {
  it('goes out as a seed that other wallets read, and comes back as the same key', async () => {
    const key = await generateTestKey();
    const seed = await exportTestKey(key);
    const elsewhere = Keypair.fromSecret(seed);
    expect(elsewhere.publicKey()).toBe(key.address);
    const message = Uint8Array.from([1, 2, 3]);
    expect(elsewhere.verify(Buffer.from(message), Buffer.from(await signWithTestKey(key, message)))).toBe(
      true,
    );
    expect((await importTestKey(` ${seed}\n`)).address).toBe(key.address);
  });

  it('is not read from anything else', async () => {
    const seed = Keypair.random().secret();
    for (const text of ['', 'SABC', Keypair.random().publicKey(), withTypo(seed)])
      await expect(importTestKey(text)).rejects.toThrow('begins with S');
  });
});
