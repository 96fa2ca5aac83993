import type { AddressKind } from '../addresses/kinds.ts';
import type { Network } from '../enumerations.ts';
import { networkRow } from './table.ts';

/**
 * How networks write the name of a transaction. One transaction has many spellings, and two requests that name one
 * transaction must be seen to do so, so everything that is stored and compared is in one of them.
 */
export type TxHashForm = 'bare' | 'prefixed' | 'ton' | 'hedera';

const FORM_OF_KIND: Partial<Record<AddressKind, TxHashForm>> = {
  evm: 'prefixed',
  aptos: 'prefixed',
  polkadot: 'prefixed',
  starknet: 'prefixed',
  ton: 'ton',
  hedera: 'hedera',
};

const HEX = /^(?:0x)?([0-9a-f]{64})$/i;
/** 32 bytes in either alphabet; the last digit has two spare bits, which name nothing. */
const BASE64 = /^([A-Za-z0-9+/_-]{43})=?$/;
const BASE64_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const HEDERA = /^(\d+\.\d+\.\d+)@(\d+)\.(\d+)$/;

export function txHashForm(network: Network): TxHashForm {
  return FORM_OF_KIND[networkRow(network).addressKind] ?? 'bare';
}

/** The one spelling of a transaction's name on its network; text of any other form is kept as sent. */
export function canonicalTxHash(network: Network, txHash: string): string {
  return inForm(txHashForm(network), txHash);
}

/** In every form, for a statement that learns the network only from the record that it finds. */
export function txHashForms(txHash: string): Record<TxHashForm, string> {
  return {
    bare: inForm('bare', txHash),
    prefixed: inForm('prefixed', txHash),
    ton: inForm('ton', txHash),
    hedera: inForm('hedera', txHash),
  };
}

function inForm(form: TxHashForm, txHash: string): string {
  const digits = HEX.exec(txHash)?.[1]?.toLowerCase();
  if (digits !== undefined) return form === 'prefixed' ? `0x${digits}` : digits;
  if (form === 'ton') return hexOfBase64(txHash) ?? txHash;
  if (form === 'hedera') return txHash.replace(HEDERA, '$1-$2-$3');
  return txHash;
}

function hexOfBase64(text: string): string | undefined {
  const digits = BASE64.exec(text)?.[1];
  if (digits === undefined) return undefined;
  let bits = 0n;
  for (const digit of digits.replaceAll('-', '+').replaceAll('_', '/'))
    bits = (bits << 6n) | BigInt(BASE64_DIGITS.indexOf(digit));
  return (bits >> 2n).toString(16).padStart(64, '0');
}
