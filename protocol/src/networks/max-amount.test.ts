import { expect, it } from 'vitest';
import { maxAmount } from './max-amount.ts';

it.each([
  ['stellar_public', 7, '922337203685.4775807'],
  ['stellar_testnet', 7, '922337203685.4775807'],
  ['bitcoin_mainnet', 8, '21000000'],
  ['bitcoin_cash_mainnet', 8, '21000000'],
  ['litecoin_mainnet', 8, '84000000'],
  ['xrpl_mainnet', 6, '100000000000'],
  ['ethereum_mainnet', 18, '115792089237316195423570985008687907853269984665640564039457.584007913129639935'],
  ['base_mainnet', 0, (2n ** 256n - 1n).toString()],
  ['solana_mainnet', 9, '18446744073.709551615'],
  ['filecoin_mainnet', 18, '18.446744073709551615'],
  ['starknet_mainnet', 30, '0.000000000018446744073709551615'],
] as const)('%s carries at most so much of an asset with %d decimals: %s', (network, decimals, most) => {
  expect(maxAmount(network, decimals)).toBe(most);
});
