import { stellar } from '../../texts/wallet/stellar.ts';
import { CannotSignError, TEST_KEY_SIGNER } from '../signing/signer.ts';
import { readEntry, writeEntry } from '../storage/database.ts';
import { freighterAddress, freighterPassphrase, freighterPresence, signByFreighter } from './freighter.ts';
import { createHorizon, type Horizon } from './horizon.ts';
import type { AccountNumbers } from './sequence-numbers.ts';
import { createStellarSigner } from './stellar-signer.ts';
import { signWithTestKey } from './test-key.ts';
import { openTestKey, readTestKey, TEST_KEY_NUMBERS } from './test-key-store.ts';
import { signatureIn, TESTNET_PASSPHRASE, type Unsigned } from './transaction.ts';

let horizon: Promise<Horizon> | undefined;

/** The Horizon server of this installation; the policy of the page lets it speak to no other. */
export function configuredHorizon(): Promise<Horizon> {
  horizon ??= fetch('/web/settings.json')
    .then((answer) => answer.json() as Promise<{ horizon_url: string }>)
    .then((settings) => createHorizon(settings.horizon_url))
    .catch((error: unknown) => {
      horizon = undefined;
      throw error;
    });
  return horizon;
}

export const stellarSigner = createStellarSigner({
  id: TEST_KEY_SIGNER,
  async ability() {
    const key = await readTestKey();
    if (key === undefined) return { can: 'no', why: stellar.signer.noKey };
    return { can: 'here', note: stellar.signer.note(key.address), account: key.address };
  },
  horizon: configuredHorizon,
  async source() {
    const key = await openTestKey();
    return key && { address: key.address, sign: ({ hash }) => signWithTestKey(key, hash) };
  },
  unfunded: stellar.signer.unfunded,
  numbers: () => readEntry<AccountNumbers>('keys', TEST_KEY_NUMBERS),
  keepNumbers: (_address, numbers) => writeEntry('keys', TEST_KEY_NUMBERS, numbers),
  exclusively: (act) => navigator.locks.request('stellar numbers', act),
  now: () => new Date(),
});

/** The extension's account is requested when it is needed: before that this page knows only that the extension is there. */
export const freighterSigner = createStellarSigner({
  id: 'freighter',
  ability: async () =>
    freighterPresence.now() ? { can: 'here', note: stellar.freighter.note } : { can: 'no', why: undefined },
  horizon: configuredHorizon,
  async source() {
    const address = await freighterAddress();
    if ((await freighterPassphrase()) !== TESTNET_PASSPHRASE)
      throw new CannotSignError(stellar.freighter.otherNetwork);
    return { address, sign: (unsigned) => freighterSignature(unsigned, address) };
  },
  unfunded: stellar.freighter.unfunded,
  numbers: (address) => readEntry<AccountNumbers>('keys', `freighter-numbers/${address}`),
  keepNumbers: (address, numbers) => writeEntry('keys', `freighter-numbers/${address}`, numbers),
  exclusively: (act) => navigator.locks.request('freighter numbers', act),
  now: () => new Date(),
});

async function freighterSignature(unsigned: Unsigned, address: string): Promise<Uint8Array> {
  const signed = await signByFreighter(unsigned.envelope, address, TESTNET_PASSPHRASE);
  const signature = await signatureIn(signed, unsigned, address);
  if (signature === undefined) throw new CannotSignError(stellar.freighter.swapped);
  return signature;
}
