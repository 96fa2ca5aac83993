export { checkAlgorandAddress } from './algorand.ts';
export { checkBitcoinCashAddress, plainCashAddress } from './bitcoin-cash.ts';
export { checkBitcoinAddress, checkDogecoinAddress, checkLitecoinAddress } from './bitcoin-like.ts';
export { checkCardanoAddress } from './cardano.ts';
export { checkAddress } from './check-address.ts';
export type { AddressCheck, AddressChecker } from './checker.ts';
export { checkCosmosAddress } from './cosmos.ts';
export { checkEvmAddress } from './evm.ts';
export { checkFilecoinAddress } from './filecoin.ts';
export { checkHederaAddress } from './hedera.ts';
export { checkInternetComputerAddress, defaultAccountIdOf } from './internet-computer.ts';
export { ADDRESS_KINDS, type AddressKind, checkAddressOfKind } from './kinds.ts';
export { checkAptosAddress, checkSuiAddress } from './move.ts';
export { addressesOfScript } from './output-script.ts';
export { checkPolkadotAddress } from './polkadot.ts';
export { checkSolanaAddress } from './solana.ts';
export { checkStarknetAddress } from './starknet.ts';
export {
  checkStellarAccount,
  checkStellarAddress,
  decodeStrKey,
  encodeStrKey,
  isMuxedStellarAddress,
} from './stellar.ts';
export { checkTezosAddress } from './tezos.ts';
export { checkTonAddress, tonAccountOf } from './ton.ts';
export { checkXrplAddress } from './xrpl.ts';
