import { blake2b } from '@noble/hashes/blake2.js';
import { sha512_256 } from '@noble/hashes/sha2.js';
import { base32nopad, base58, base64, base64url, bech32, bech32m, hex } from '@scure/base';
import fc from 'fast-check';
import { encodeBase58Check, encodeRippleBase58Check } from '../src/addresses/base58check.ts';
import { BECH32_ALPHABET } from '../src/addresses/checker.ts';
import { crc16Xmodem, crc32 } from '../src/addresses/crc.ts';
import { checkEvmAddress } from '../src/addresses/evm.ts';

type AddressArbitrary = fc.Arbitrary<string>;

export function bytesOf(length: number): fc.Arbitrary<Uint8Array> {
  return fc.uint8Array({ minLength: length, maxLength: length });
}

function strKey(version: number, payload: Uint8Array): string {
  const body = Uint8Array.of(version, ...payload);
  const crc = crc16Xmodem(body);
  return base32nopad.encode(Uint8Array.of(...body, crc & 0xff, crc >> 8));
}

/** CashAddr by its specification, in plain 40-bit arithmetic. */
function cashAddress(version: number, hash: Uint8Array): string {
  const prefix = 'bitcoincash';
  const words = bech32.toWords(Uint8Array.of(version, ...hash));
  const covered = [...Array.from(prefix, (character) => character.charCodeAt(0) & 31), 0, ...words];
  const generators = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n];
  let register = 1n;
  for (const word of [...covered, 0, 0, 0, 0, 0, 0, 0, 0]) {
    const leaving = register >> 35n;
    register = ((register & 0x07ffffffffn) << 5n) ^ BigInt(word);
    generators.forEach((generator, bit) => {
      if ((leaving >> BigInt(bit)) & 1n) register ^= generator;
    });
  }
  const checksum = Array.from({ length: 8 }, (_, at) =>
    Number(((register ^ 1n) >> BigInt(5 * (7 - at))) & 31n),
  );
  return `${prefix}:${[...words, ...checksum].map((word) => BECH32_ALPHABET.charAt(word)).join('')}`;
}

function segwit(prefix: string, version: number, program: Uint8Array): string {
  const codec = version === 0 ? bech32 : bech32m;
  return codec.encode(prefix, [version, ...codec.toWords(program)]);
}

function ss58(account: Uint8Array): string {
  const body = Uint8Array.of(0, ...account);
  const hash = blake2b(Uint8Array.of(...new TextEncoder().encode('SS58PRE'), ...body));
  return base58.encode(Uint8Array.of(...body, ...hash.subarray(0, 2)));
}

function ton(tag: number, workchain: number, account: Uint8Array, isUrl: boolean): string {
  const body = Uint8Array.of(tag, workchain, ...account);
  const crc = crc16Xmodem(body);
  return (isUrl ? base64url : base64).encode(Uint8Array.of(...body, crc >> 8, crc & 0xff));
}

function filecoin(protocol: string, covered: Uint8Array, payload: Uint8Array): string {
  const checksum = blake2b(covered, { dkLen: 4 });
  return `f${protocol}${base32nopad.encode(Uint8Array.of(...payload, ...checksum)).toLowerCase()}`;
}

function principal(id: Uint8Array): string {
  const crc = crc32(id);
  const checksum = [crc >>> 24, (crc >> 16) & 0xff, (crc >> 8) & 0xff, crc & 0xff];
  const text = base32nopad.encode(Uint8Array.of(...checksum, ...id)).toLowerCase();
  return text.match(/.{1,5}/g)?.join('-') ?? '';
}

/** A Byron address; its checksum is a CBOR number and therefore shorter when it is small. */
export function byron(root: Uint8Array, path: Uint8Array | undefined): { address: string; checksum: number } {
  const attributes = path === undefined ? [0xa0] : [0xa1, 0x01, 0x58, path.length, ...path];
  const payload = Uint8Array.of(0x83, 0x58, 28, ...root, ...attributes, 0x00);
  const checksum = crc32(payload);
  const bytes = [checksum >>> 24, (checksum >> 16) & 0xff, (checksum >> 8) & 0xff, checksum & 0xff];
  const number = checksum > 0xffff ? [0x1a, ...bytes] : [0x19, ...bytes.slice(2)];
  const address = base58.encode(Uint8Array.of(0x82, 0xd8, 0x18, 0x58, payload.length, ...payload, ...number));
  return { address, checksum };
}

const version = (byte: number) => bytesOf(20).map((hash) => encodeBase58Check(Uint8Array.of(byte, ...hash)));
const tezos = (...prefix: number[]) =>
  bytesOf(20).map((hash) => encodeBase58Check(Uint8Array.of(...prefix, ...hash)));
const longBech32 = (prefix: string, bytes: fc.Arbitrary<Uint8Array>) =>
  bytes.map((value) => bech32.encode(prefix, bech32.toWords(value), false));
const shelley = (header: number, length: number) =>
  longBech32(
    'addr',
    bytesOf(length).map((hashes) => Uint8Array.of(header, ...hashes)),
  );

/** Random valid addresses of every format that has a checksum, each made by its encoding rule rather than by our decoders. */
export const CHECKSUMMED_ADDRESSES: Readonly<Record<string, AddressArbitrary>> = {
  'Stellar account': bytesOf(32).map((key) => strKey(6 << 3, key)),
  'Stellar muxed account': bytesOf(40).map((key) => strKey(12 << 3, key)),
  'Stellar contract': bytesOf(32).map((key) => strKey(2 << 3, key)),
  'EVM in EIP-55': bytesOf(20)
    .map((bytes) => checkEvmAddress(`0x${hex.encode(bytes)}`))
    .map((check) => (check.ok ? check.address : ''))
    .filter((text) => /[a-f]/.test(text.slice(2)) && /[A-F]/.test(text)),
  'Bitcoin P2PKH': version(0),
  'Bitcoin P2SH': version(5),
  'Bitcoin segwit key': bytesOf(20).map((hash) => segwit('bc', 0, hash)),
  'Bitcoin segwit script': bytesOf(32).map((hash) => segwit('bc', 0, hash)),
  'Bitcoin taproot': bytesOf(32).map((key) => segwit('bc', 1, key)),
  'Bitcoin segwit in upper case': bytesOf(20).map((hash) => segwit('bc', 0, hash).toUpperCase()),
  'Litecoin P2PKH': version(48),
  'Litecoin P2SH': version(50),
  'Litecoin segwit': bytesOf(20).map((hash) => segwit('ltc', 0, hash)),
  'Dogecoin P2PKH': version(30),
  'Dogecoin P2SH': version(22),
  CashAddr: bytesOf(20).map((hash) => cashAddress(0, hash)),
  'CashAddr without prefix': bytesOf(20).map((hash) => cashAddress(8, hash).replace('bitcoincash:', '')),
  'CashAddr of a 32-byte script hash': bytesOf(32).map((hash) => cashAddress(8 | 3, hash)),
  'CashAddr that takes tokens': bytesOf(20).map((hash) => cashAddress(16, hash)),
  'CashAddr in upper case': bytesOf(20).map((hash) => cashAddress(0, hash).toUpperCase()),
  'XRP Ledger': bytesOf(20).map((hash) => encodeRippleBase58Check(Uint8Array.of(0, ...hash))),
  'XRP Ledger X-address': bytesOf(20).map((hash) =>
    encodeRippleBase58Check(Uint8Array.of(0x05, 0x44, ...hash, 1, 7, 0, 0, 0, 0, 0, 0, 0)),
  ),
  'Cardano base': shelley(0x01, 56),
  'Cardano enterprise': shelley(0x61, 28),
  'Cardano Byron (Icarus)': bytesOf(28).map((root) => byron(root, undefined).address),
  'Cardano Byron (Daedalus)': fc
    .tuple(bytesOf(28), bytesOf(30))
    .map(([root, path]) => byron(root, path).address),
  'Cosmos Hub': longBech32('cosmos', bytesOf(20)),
  'Cosmos Hub contract': longBech32('cosmos', bytesOf(32)),
  Polkadot: bytesOf(32).map(ss58),
  'TON bounceable': bytesOf(32).map((account) => ton(0x11, 0, account, true)),
  'TON non-bounceable, plain base64': bytesOf(32).map((account) => ton(0x51, 0, account, false)),
  'TON masterchain': bytesOf(32).map((account) => ton(0x11, 0xff, account, true)),
  Algorand: bytesOf(32).map((key) =>
    base32nopad.encode(Uint8Array.of(...key, ...sha512_256(key).subarray(-4))),
  ),
  'Tezos tz1': tezos(6, 161, 159),
  'Tezos tz2': tezos(6, 161, 161),
  'Tezos tz3': tezos(6, 161, 164),
  'Tezos tz4': tezos(6, 161, 166),
  'Tezos KT1': tezos(2, 90, 121),
  'Filecoin f1': bytesOf(20).map((hash) => filecoin('1', Uint8Array.of(1, ...hash), hash)),
  'Filecoin f2': bytesOf(20).map((hash) => filecoin('2', Uint8Array.of(2, ...hash), hash)),
  'Filecoin f3': bytesOf(48).map((key) => filecoin('3', Uint8Array.of(3, ...key), key)),
  'Filecoin f410': bytesOf(20).map((hash) => filecoin('410f', Uint8Array.of(4, 10, ...hash), hash)),
  'ICP canister principal': bytesOf(10).map(principal),
  'ICP user principal': bytesOf(29).map(principal),
  'ICP account identifier': bytesOf(28).map(
    (hash) => crc32(hash).toString(16).padStart(8, '0') + hex.encode(hash),
  ),
};
