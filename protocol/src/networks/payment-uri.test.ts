import { describe, expect, it } from 'vitest';
import { paymentUri } from './table.ts';

const STELLAR = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
const ISSUER = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
const EVM = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const CONTRACT = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';

describe('payment links', () => {
  it('SEP-7 names destination, amount, memo and, off the public network, the passphrase', () => {
    const input = { asset: 'XLM', address: STELLAR, amount: '12.50', memo: 'INV 7&8', decimals: 7 };
    expect(paymentUri('stellar_public', input)).toBe(
      `web+stellar:pay?destination=${STELLAR}&amount=12.50&memo=INV%207%268&memo_type=MEMO_TEXT`,
    );
    expect(paymentUri('stellar_testnet', { ...input, memo: null })).toBe(
      `web+stellar:pay?destination=${STELLAR}&amount=12.50&network_passphrase=Test%20SDF%20Network%20%3B%20September%202015`,
    );
  });

  it('SEP-7 names asset and issuer of an issued asset', () => {
    expect(
      paymentUri('stellar_public', {
        asset: 'USDC',
        address: STELLAR,
        issuer: ISSUER,
        amount: '1',
        decimals: 7,
      }),
    ).toBe(`web+stellar:pay?destination=${STELLAR}&amount=1&asset_code=USDC&asset_issuer=${ISSUER}`);
  });

  // Source: BIP-21, examples ("bitcoin:<address>?amount=20.3").
  it('BIP-21 has the amount in whole coins, under the scheme of each coin', () => {
    const input = { asset: 'BTC', amount: '20.3', decimals: 8 };
    expect(paymentUri('bitcoin_mainnet', { ...input, address: '1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mo' })).toBe(
      'bitcoin:1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mo?amount=20.3',
    );
    expect(paymentUri('litecoin_mainnet', { ...input, address: 'LT2KVaAy1ppRuxRgrS5RNU3vBsy7RibPeA' })).toBe(
      'litecoin:LT2KVaAy1ppRuxRgrS5RNU3vBsy7RibPeA?amount=20.3',
    );
    expect(paymentUri('dogecoin_mainnet', { ...input, address: 'DD4KSSuBJqcjuTcvUg1CgUKeurPUFeEZkE' })).toBe(
      'dogecoin:DD4KSSuBJqcjuTcvUg1CgUKeurPUFeEZkE?amount=20.3',
    );
  });

  it('does not put the scheme twice in front of a CashAddr address', () => {
    const address = 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a';
    expect(paymentUri('bitcoin_cash_mainnet', { asset: 'BCH', address, amount: '1', decimals: 8 })).toBe(
      `${address}?amount=1`,
    );
  });

  // Source: ERC-681, examples (2.014 ether is value=2.014e18; a token transfer calls /transfer with address and uint256).
  it('ERC-681 counts in the smallest unit and names the chain', () => {
    expect(
      paymentUri('ethereum_mainnet', { asset: 'ETH', address: EVM, amount: '2.014', decimals: 18 }),
    ).toBe(`ethereum:${EVM}@1?value=2014000000000000000`);
    expect(
      paymentUri('base_mainnet', {
        asset: 'USDC',
        address: EVM,
        contract: CONTRACT,
        amount: '1',
        decimals: 6,
      }),
    ).toBe(`ethereum:${CONTRACT}@8453/transfer?address=${EVM}&uint256=1000000`);
  });

  it('has no link for an amount that is finer than the asset: nothing is rounded', () => {
    expect(
      paymentUri('ethereum_mainnet', {
        asset: 'ETH',
        address: EVM,
        amount: `0.${'0'.repeat(18)}1`,
        decimals: 18,
      }),
    ).toBeUndefined();
  });

  it('Solana Pay, XRP Ledger, TON and Algorand carry the memo in their own way', () => {
    expect(
      paymentUri('solana_mainnet', {
        asset: 'SOL',
        address: '9h1HyLCW5dZnBVap8C5egQ9Z6pHyjsh5MNy83iPqqRuq',
        amount: '0.01',
        memo: 'OrderId12345',
        decimals: 9,
      }),
    ).toBe('solana:9h1HyLCW5dZnBVap8C5egQ9Z6pHyjsh5MNy83iPqqRuq?amount=0.01&memo=OrderId12345');
    expect(
      paymentUri('xrpl_mainnet', {
        asset: 'XRP',
        address: 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY',
        amount: '10',
        memo: '123',
        decimals: 6,
      }),
    ).toBe('xrpl:rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY?amount=10&dt=123');
    const ton = { asset: 'TON', amount: '1.5', memo: 'a b', decimals: 9 };
    expect(
      paymentUri('ton_mainnet', { ...ton, address: 'EQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q2' }),
    ).toBe('ton://transfer/EQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q2?amount=1500000000&text=a%20b');
    expect(paymentUri('ton_mainnet', { ...ton, address: `0:${'a'.repeat(64)}` })).toBeUndefined();
    // Source: ARC-26, example of a payment of 150.5 Algo (150500000 microalgos).
    expect(
      paymentUri('algorand_mainnet', {
        asset: 'ALGO',
        address: 'TMTAD6N22HCS2LKH7677L2KFLT3PAQWY6M4JFQFXQS32ECBFC23F57RYX4',
        amount: '150.5',
        memo: 'INV-7',
        decimals: 6,
      }),
    ).toBe(
      'algorand://TMTAD6N22HCS2LKH7677L2KFLT3PAQWY6M4JFQFXQS32ECBFC23F57RYX4?amount=150500000&xnote=INV-7',
    );
  });

  it('offers no link that would lose the memo', () => {
    const input = { asset: 'ADA', address: 'addr1vx', amount: '50', decimals: 6 };
    expect(paymentUri('cardano_mainnet', input)).toBe('web+cardano:addr1vx?amount=50');
    expect(paymentUri('cardano_mainnet', { ...input, memo: 'INV-7' })).toBeUndefined();
  });

  it('leaves the amount out when there is none', () => {
    expect(paymentUri('ethereum_mainnet', { asset: 'ETH', address: EVM, decimals: 18 })).toBe(
      `ethereum:${EVM}@1`,
    );
    expect(paymentUri('bitcoin_mainnet', { asset: 'BTC', address: '1F', decimals: 8 })).toBe('bitcoin:1F');
  });

  it('has none where no standard exists', () => {
    for (const network of ['sui_mainnet', 'cosmos_hub', 'hedera_mainnet', 'tezos_mainnet'] as const) {
      expect(paymentUri(network, { asset: 'X', address: 'x', amount: '1', decimals: 6 })).toBeUndefined();
    }
  });
});
