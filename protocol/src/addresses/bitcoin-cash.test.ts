import { describeAddressFamily } from '../../test/address-vectors.ts';
import { checkBitcoinCashAddress } from './bitcoin-cash.ts';

// Source: CashAddr specification (bitcoincashorg/bitcoincash.org, spec/cashaddr.md), test vectors.
describeAddressFamily({
  family: 'Bitcoin Cash (CashAddr)',
  check: checkBitcoinCashAddress,
  valid: [
    'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
    'bitcoincash:qr95sy3j9xwd2ap32xkykttr4cvcu7as4y0qverfuy',
    'bitcoincash:qqq3728yw0y47sqn6l2na30mcw6zm78dzqre909m2r',
    'bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq',
    'bitcoincash:pr95sy3j9xwd2ap32xkykttr4cvcu7as4yc93ky28e',
    'bitcoincash:pqq3728yw0y47sqn6l2na30mcw6zm78dzq5ucqzc37',
    ['qr6m7j9njldwwzlg9v7v53unlr4jkmx6eylep8ekg2', 'bitcoincash:qr6m7j9njldwwzlg9v7v53unlr4jkmx6eylep8ekg2'],
    [
      'BITCOINCASH:QPM2QSZNHKS23Z7629MMS6S4CWEF74VCWVY22GDX6A',
      'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
    ],
  ],
  invalid: [
    ['bchtest:pr6m7j9njldwwzlg9v7v53unlr4jkmx6eyvwc0uz5t', /Bitcoin Cash testnet/],
    ['bchreg:555555555555555555555555555555555555555555555udxmlmrz', /regtest/],
    ['pref:pr6m7j9njldwwzlg9v7v53unlr4jkmx6ey65nvtks5', /before the colon must be bitcoincash/],
    // The specification's vectors with a valid checksum and no valid payload, and with sizes not in use.
    ['bitcoincash:qpzry9x8gf2tvdw0s3jn54khce6mua7lcw20ayyn', /holds 19 bytes but declares 20/],
    ['bitcoincash:q9adhakpwzztepkpwp5z0dq62m6u5v5xtyj7j3h2ws4mr9g0', /24 bytes/],
    ['bitcoincash:qvch8mmxy0rtfrlarg7ucrxxfzds5pamg73h7370aa87d80gyhqxq5nlegake', /32 bytes/],
    ['pr6m7j9njldwwzlg9v7v53unlr4jkmx6eyvwc0uz5t', /checksum.*testnet/],
    ['bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6b', /Character 54 \("b"\)/],
    ['bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6q', /checksum/],
    ['bitcoincash:Qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a', /never mixed/],
    ['bitcoincash:', /too short/],
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', /Bitcoin address/],
    // The specification's table of translations: the refusal spells out the same destination.
    ['1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu', /bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a$/],
    ['3CWFddi6m4ndiGyKqzYvsFYagqDLPVMTzC', /bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq$/],
    ['16w1D5WRVKJuZUsSRzdLp9w3YGcgoxDXb', /bitcoincash:qqq3728yw0y47sqn6l2na30mcw6zm78dzqre909m2r$/],
  ],
  mutateWith: 'qp7b1:',
});
