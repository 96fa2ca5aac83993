import { describe, expect, it } from 'vitest';
import { describeAddressFamily } from '../../test/address-vectors.ts';
import { checkCardanoAddress } from './cardano.ts';

const BECH32_AND_OTHERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l1bioQ';
const BASE58_AND_OTHERS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0Ol';

// Source: CIP-19, "Test Vectors" (mainnet types 0 to 7; stake and testnet vectors are the refused ones) and the table
// of examples in "User-facing Encoding".
describeAddressFamily({
  family: 'Cardano Shelley addresses',
  check: checkCardanoAddress,
  valid: [
    'addr1qx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3n0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgse35a3x',
    'addr1z8phkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gten0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgs9yc0hh',
    'addr1yx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzerkr0vd4msrxnuwnccdxlhdjar77j6lg0wypcc9uar5d2shs2z78ve',
    'addr1x8phkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gt7r0vd4msrxnuwnccdxlhdjar77j6lg0wypcc9uar5d2shskhj42g',
    'addr1gx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer5pnz75xxcrzqf96k',
    'addr128phkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gtupnz75xxcrtw79hu',
    'addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8',
    'addr1w8phkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gtcyjy7wx',
    [
      'ADDR1VX2FXV2UMYHTTKXYXP8X0DLPDT3K6CWNG5PXJ3JHSYDZERS66HRL8',
      'addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8',
    ],
  ],
  invalid: [
    ['stake1uyehkck0lajq8gr28t9uxnuvgcqrc6070x3k9r8048z8y5gh6ffgw', /stake address/],
    ['stake178phkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gtcccycj5', /stake address/],
    ['addr_test1vz2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzerspjrlsz', /testnet/],
    ['stake_test1uqehkck0lajq8gr28t9uxnuvgcqrc6070x3k9r8048z8y5gssrtvn', /testnet/],
    // The example of CIP-19 carries the mainnet prefix around a testnet header.
    ['addr1vpu5vlrf4xkxv2qpwngf6cjhtw542ayty80v8dyr49rf5eg0yu80w', /names a testnet inside/],
    ['addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl9', /checksum/],
    ['addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl', /checksum/],
    ['addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzersb6hrl8', /Character 53 \("b"\)/],
    ['addr1Vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8', /mixes upper and lower case/],
    ['addr1', /cut short/],
    ['pool1z5uqdk7dzdxaae5633fqfcu2eqzy3a3rgtuvy087fdld7yws0xt', /begins with addr1/],
    ['', /begins with addr1/],
  ],
  mutateWith: BECH32_AND_OTHERS,
});

// Sources: Ae2 addresses from trezor/trezor-firmware (core/tests/test_apps.cardano.address.py and the Cardano device tests) and
// from EMURGO's Yoroi tests; DdzFF addresses from vacuumlabs' Ledger Cardano test fixtures, EMURGO's Yoroi tests and the
// records of an Unstoppable Domains test; testnet addresses from the Ledger fixtures and CIP-19.
describeAddressFamily({
  family: 'Cardano Byron addresses',
  check: checkCardanoAddress,
  valid: [
    'Ae2tdPwUPEZ98eHFwxSsPBDz73amioKpr58Vw85mP1tMkzq8siaftiejJ3j',
    'Ae2tdPwUPEZLCq3sFv4wVYxwqjMH2nUzBVt1HFr4v87snYrtYq3d3bq2PUQ',
    'Ae2tdPwUPEZCanmBz5g2GEwFqKTKpNJcGYPKfDxoNeKZ8bRHr8366kseiK2',
    'Ae2tdPwUPEZKAx4zt8YLTGxrhX9L6R8QPWNeefZsPgwaigWab4mEw1ECUZ7',
    'DdzFFzCqrht7HGoJ87gznLktJGywK1LbAJT2sbd4txmgS7FcYLMQFhawb18ojS9Hx55mrbsHPr7PTraKh14TSQbGBPJHbDZ9QVh6Z6Di',
    'DdzFFzCqrhsmcx7z25PRkdbeUNqNNW4brhznpVxbm1EknAahjaCFEjYXg9KJRqkixjgGyz8D9GSX3CFDRoNrZyfJsi61N2FxCnq9yWBy',
    'DdzFFzCqrhsfc3MQvjsLr9BHkaFYeE7BotyTATdETRoSPj6QPiotK4xpcFZk66KVmtr87tvUFTcbTHZRkcdbMR5Ss6jCfzCVtFRMB7WE',
  ],
  invalid: [
    ['2657WMsDfac6Cmfg4Varph2qyLKGi2K9E8jrtvjHVzfSjmbTMGy5sY3HpxCKsmtDA', /testnet/],
    [
      '37btjrVyb4KDXBNC4haBVPCrro8AQPHwvCMp3RFhhSVWwfFmZ6wwzSK6JK1hY6wHNmtrpTf1kdbva8TCneM2YsiXT7mrzT21EacHnPpz5YyUdj64na',
      /testnet/,
    ],
    ['Ae2tdPwUPEZ98eHFwxSsPBDz73amioKpr58Vw85mP1tMkzq8siaftiejJ3k', /checksum/],
    ['Ae2tdPwUPEZ98eHFwxSsPBDz73amioKpr58Vw85mP1tMkzq8siaftiejJ3', /not a Byron address/],
    ['Ae2tdPwUPEZ98eHFwxSsPBDz73amioKpr58Vw85mP1tMkzq8siaftiejJ0j', /Character 58 \("0"\)/],
    ['DdzFFzCqrht7HGoJ87gznLktJGywK1LbAJT2sbd4', /not a Byron address/],
    ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', /begins with addr1/],
  ],
  mutateWith: BASE58_AND_OTHERS,
});

describe('Cardano pointer addresses', () => {
  it('refuses a pointer with bytes after it, without its end, or with padded numbers', async () => {
    const { bech32 } = await import('@scure/base');
    const hash = new Uint8Array(28).fill(7);
    const encode = (pointer: number[]): string =>
      bech32.encode('addr', bech32.toWords(Uint8Array.from([0x41, ...hash, ...pointer])), false);
    expect(checkCardanoAddress(encode([1, 2, 3])).ok).toBe(true);
    expect(checkCardanoAddress(encode([0x8f, 0xff, 0xff, 0xff, 0x7f, 2, 3])).ok).toBe(true);
    expect(checkCardanoAddress(encode([0x90, 0x80, 0x80, 0x80, 0x00, 2, 3])).ok).toBe(false);
    expect(checkCardanoAddress(encode([1, 2, 3, 4])).ok).toBe(false);
    expect(checkCardanoAddress(encode([1, 2])).ok).toBe(false);
    expect(checkCardanoAddress(encode([1, 2, 0x83])).ok).toBe(false);
    expect(checkCardanoAddress(encode([0x80, 1, 2, 3])).ok).toBe(false);
  });
});
