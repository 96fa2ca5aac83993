import { bech32, bech32m } from '@scure/base';
import type { Network } from '../enumerations.ts';
import { encodeBase58Check } from './base58check.ts';
import { encodeCashAddress } from './bitcoin-cash.ts';

interface ScriptFormat {
  /** Version bytes of key and script hashes. */
  readonly keyHash: number;
  readonly scriptHash: number;
  readonly segwitPrefix?: string;
}

const FORMATS: Partial<Record<Network, ScriptFormat>> = {
  bitcoin_mainnet: { keyHash: 0, scriptHash: 5, segwitPrefix: 'bc' },
  litecoin_mainnet: { keyHash: 48, scriptHash: 50, segwitPrefix: 'ltc' },
  dogecoin_mainnet: { keyHash: 30, scriptHash: 22 },
};

/** The four forms of output script that an address can encode. */
type Paid =
  | { kind: 'key' | 'script'; hash: Uint8Array }
  | { kind: 'witness'; version: number; program: Uint8Array };

/**
 * The addresses that an output script pays, each as it is stored, the usual one first; none when it pays no address. Only
 * Bitcoin Cash has two: its token-aware form pays the same script.
 */
export function addressesOfScript(network: Network, script: Uint8Array): string[] {
  const paid = readScript(script);
  if (paid === undefined) return [];
  if (network === 'bitcoin_cash_mainnet') {
    if (paid.kind === 'witness') return [];
    const type = paid.kind === 'key' ? 0 : 1;
    return [encodeCashAddress(type, paid.hash), encodeCashAddress(type + 2, paid.hash)];
  }
  const format = FORMATS[network];
  if (format === undefined) return [];
  if (paid.kind === 'witness') return format.segwitPrefix ? [segwitAddress(format.segwitPrefix, paid)] : [];
  if (paid.hash.length !== 20) return [];
  return [
    encodeBase58Check(Uint8Array.of(paid.kind === 'key' ? format.keyHash : format.scriptHash, ...paid.hash)),
  ];
}

function segwitAddress(prefix: string, { version, program }: Extract<Paid, { kind: 'witness' }>): string {
  const coding = version === 0 ? bech32 : bech32m;
  return coding.encode(prefix, [version, ...coding.toWords(program)]);
}

function readScript(script: Uint8Array): Paid | undefined {
  const hex = Array.from(script, (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (/^76a914.{40}88ac$/.test(hex)) return { kind: 'key', hash: script.slice(3, 23) };
  if (/^a914.{40}87$/.test(hex)) return { kind: 'script', hash: script.slice(2, 22) };
  // Bitcoin Cash pays to script hashes of 32 bytes as well.
  if (/^aa20.{64}87$/.test(hex)) return { kind: 'script', hash: script.slice(2, 34) };
  return readWitness(script);
}

function readWitness(script: Uint8Array): Paid | undefined {
  const [opcode = 0xff, length = 0] = script;
  const version = opcode === 0 ? 0 : opcode - 0x50;
  if (version < 0 || version > 16 || (opcode !== 0 && version === 0)) return undefined;
  if (length < 2 || length > 40 || script.length !== length + 2) return undefined;
  if (version === 0 && length !== 20 && length !== 32) return undefined;
  return { kind: 'witness', version, program: script.slice(2) };
}
