import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeStrKey, encodeStrKey } from '../addresses/stellar.ts';
import { fromBaseUnits } from '../amounts.ts';
import type { Network } from '../enumerations.ts';
import { ed25519PublicKey, signEd25519 } from '../proofs/ed25519.ts';
import { parsePaymentUri } from './read-payment-uri.ts';
import { signSep7, verifySep7 } from './sep7-signature.ts';
import { NETWORK_TABLE, networkRow, paymentUri } from './table.ts';

const EVM = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const CONTRACT = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const STELLAR = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
const ISSUER = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';

/** An address of each kind that has a standard for links. */
const ADDRESSES: Partial<Record<Network, string>> = {
  stellar_public: STELLAR,
  stellar_testnet: STELLAR,
  solana_mainnet: '9h1HyLCW5dZnBVap8C5egQ9Z6pHyjsh5MNy83iPqqRuq',
  bitcoin_mainnet: '1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mo',
  litecoin_mainnet: 'LT2KVaAy1ppRuxRgrS5RNU3vBsy7RibPeA',
  dogecoin_mainnet: 'DD4KSSuBJqcjuTcvUg1CgUKeurPUFeEZkE',
  bitcoin_cash_mainnet: 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
  xrpl_mainnet: 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY',
  ton_mainnet: 'EQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q2',
  cardano_mainnet: 'addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8',
  algorand_mainnet: 'TMTAD6N22HCS2LKH7677L2KFLT3PAQWY6M4JFQFXQS32ECBFC23F57RYX4',
};
const WITH_LINKS = NETWORK_TABLE.filter((row) => row.paymentUri !== undefined);

describe('a payment link that is read back', () => {
  it('carries the same details on every network that has a standard', () => {
    const drawn = fc.record({
      row: fc.constantFrom(...WITH_LINKS),
      units: fc.bigInt({ min: 1n, max: 10n ** 24n }),
      memo: fc.option(fc.string({ minLength: 1, maxLength: 20, unit: 'binary' })),
      number: fc.nat(),
      kind: fc.constantFrom('native', 'token'),
    });
    fc.assert(
      fc.property(drawn, ({ row, units, memo: text, number, kind }) => {
        const { network, nativeAsset, addressKind } = row;
        const isEvm = addressKind === 'evm';
        const hasMemo = row.memo.kind !== 'none' && network !== 'cardano_mainnet';
        const memo = !hasMemo || text === null ? null : row.memo.kind === 'number' ? String(number) : text;
        const isToken = kind === 'token' && (isEvm || addressKind === 'stellar');
        const decimals = isToken && isEvm ? 6 : row.decimals;
        const facts = {
          asset: isToken ? 'USDC' : nativeAsset,
          decimals,
          address: isEvm ? EVM : (ADDRESSES[network] ?? ''),
          amount: fromBaseUnits(units, decimals),
          ...(isToken && isEvm ? { contract: CONTRACT } : {}),
          ...(addressKind === 'stellar' ? { issuer: isToken ? ISSUER : null } : {}),
          ...(isEvm ? {} : { memo }),
        };
        const uri = paymentUri(network, facts) ?? '';
        expect(parsePaymentUri(uri, { asset: 'USDC', decimals: 6 }), uri).toEqual({ network, ...facts });
      }),
      { numRuns: 300 },
    );
    expect(WITH_LINKS.every((row) => row.addressKind === 'evm' || ADDRESSES[row.network])).toBe(true);
  });

  it('goes by its contract and its smallest unit where nothing is known of the token', () => {
    const uri = `ethereum:${CONTRACT}@8453/transfer?address=${EVM}&uint256=1000000`;
    expect(parsePaymentUri(uri)).toEqual({
      network: 'base_mainnet',
      asset: CONTRACT,
      decimals: 0,
      address: EVM,
      amount: '1000000',
      contract: CONTRACT,
    });
  });

  it.each([
    ['a parameter that is not known', `ethereum:${EVM}@1?value=1&gasLimit=9`],
    ['a parameter twice', 'bitcoin:1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mo?amount=1&amount=2'],
    ['a parameter that must be understood', 'bitcoin:1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mo?amount=1&req-x=1'],
    ['an amount that is none', 'bitcoin:1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mo?amount=-1'],
    ['an amount of nothing', 'bitcoin:1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mo?amount=0'],
    ['an address with a wrong character', 'bitcoin:1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2m0?amount=1'],
    ['an address of another network', `bitcoin:LT2KVaAy1ppRuxRgrS5RNU3vBsy7RibPeA?amount=1`],
    ['an address that is not in the stored form', `ethereum:${EVM.toLowerCase()}@1?value=1`],
    ['a chain that is not known', `ethereum:${EVM}@999?value=1`],
    ['a call of another function', `ethereum:${CONTRACT}@1/approve?address=${EVM}&uint256=1`],
    ['an asset without its issuer', `web+stellar:pay?destination=${STELLAR}&amount=1&asset_code=USDC`],
    ['another kind of memo', `web+stellar:pay?destination=${STELLAR}&amount=1&memo=7&memo_type=MEMO_ID`],
    [
      'a callback',
      `web+stellar:pay?destination=${STELLAR}&amount=1&callback=url%3Ahttps%3A%2F%2Fthief.example`,
    ],
    ['a broken escape', `web+stellar:pay?destination=${STELLAR}&amount=1&memo=%E0%A4%A&memo_type=MEMO_TEXT`],
    ['another scheme', `https://example.com/?address=${EVM}`],
    ['nothing', ''],
  ])('is refused with %s', (_, uri) => {
    expect(parsePaymentUri(uri)).toBeUndefined();
  });

  it('never throws', () => {
    const start = fc.constantFrom(
      '',
      ...WITH_LINKS.map((row) => paymentUri(row.network, link(row.network)) ?? ''),
    );
    fc.assert(
      fc.property(start, fc.string({ unit: 'binary' }), (uri, tail) => void parsePaymentUri(`${uri}${tail}`)),
    );
  });

  const link = (network: Network) => ({
    asset: networkRow(network).nativeAsset,
    decimals: networkRow(network).decimals,
    address: ADDRESSES[network] ?? EVM,
    amount: '1',
  });
});

describe('a SEP-7 link with the signature of its domain', () => {
  // Source: SEP-7, "Example" of the signature, with its seed and key.
  const SEED =
    decodeStrKey('seed', 'SBPOVRVKTTV7W3IOX2FJPSMPCJ5L2WU2YKTP3HCLYPXNI5MDIGREVNYC') ?? new Uint8Array(32);
  const KEY = 'GD7ACHBPHSC5OJMJZZBXA7Z5IAUFTH6E6XVLNBPASDQYJ7LO5UIYBDQW';
  const uri = `web+stellar:pay?destination=${STELLAR}&amount=12.50&memo=INV%207&memo_type=MEMO_TEXT`;
  const sign = (message: Uint8Array) => signEd25519(message, SEED);
  const signed = signSep7(uri, 'pay.example', sign);

  it('is signed as the standard requires', () => {
    expect(encodeStrKey('account', ed25519PublicKey(SEED))).toBe(KEY);
    const example =
      'web+stellar:pay?destination=GCALNQQBXAPZ2WIRSDDBMSTAKCUH5SG6U76YBFLQLIXJTF7FE5AX7AOO&amount=120.1234567&memo=skdjfasf&msg=pay%20me%20with%20lumens';
    const signature =
      'JTlGMGzxUv90P2SWxUY9xo+LlbXaDloend6gkpyylY8X4bUNf6/9mFTMJs7JKqSDPRtejlK1kQvrsJfRZSJeAQ==';
    expect(signSep7(example, 'someDomain.com', sign)).toBe(
      `${example}&origin_domain=someDomain.com&signature=${encodeURIComponent(signature)}`,
    );
  });

  it('verifies under the key of its domain and carries the pinned details', () => {
    const verified = verifySep7(signed, (domain) => (domain === 'pay.example' ? KEY : undefined));
    expect(verified).toEqual({ uri, originDomain: 'pay.example' });
    expect(parsePaymentUri(verified?.uri ?? '')).toMatchObject({
      network: 'stellar_public',
      amount: '12.50',
      memo: 'INV 7',
    });
  });

  it.each([
    ['another amount', signed.replace('12.50', '12.51')],
    ['another domain', signed.replace('pay.example', 'pax.example')],
    ['a parameter after the signature', `${signed}&amount=99`],
    ['a second domain', signed.replace('&origin_domain', '&origin_domain=thief.example&origin_domain')],
    ['no signature', signed.slice(0, signed.indexOf('&signature'))],
    ['a broken signature', `${signed.slice(0, signed.indexOf('&signature'))}&signature=%E0%A4%A`],
  ])('does not verify with %s', (_, text) => {
    expect(verifySep7(text, () => KEY)).toBeUndefined();
  });

  it('does not verify under another key, and not where the domain has none', () => {
    for (const key of [ISSUER, undefined, 'no key']) expect(verifySep7(signed, () => key)).toBeUndefined();
  });
});
