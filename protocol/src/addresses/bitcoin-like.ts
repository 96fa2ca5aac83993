import { decodeBase58Check } from './base58check.ts';
import { type AddressCheck, type AddressChecker, accepted, refused } from './result.ts';
import { checkSegwitAddress } from './segwit.ts';

const SHORTEST_BASE58 = 26;
const LONGEST_BASE58 = 35;
const LONGEST_WIF = 52;
const HASH_BYTES = 20;

interface BitcoinLikeFormat {
  readonly coin: string;
  /** What addresses look like, as the object of "The address must be …". */
  readonly form: string;
  /** Accepted version bytes. */
  readonly versions: ReadonlySet<number>;
  readonly segwitPrefix?: string;
}

/** What a version byte means elsewhere, so that a refusal can name the network the address belongs to. */
const KNOWN_VERSIONS: ReadonlyMap<number, string> = new Map([
  [0, 'Bitcoin, or Bitcoin Cash in its old form'],
  [5, 'Bitcoin, or Bitcoin Cash in its old form'],
  [22, 'Dogecoin'],
  [30, 'Dogecoin'],
  [48, 'Litecoin'],
  [50, 'Litecoin'],
  [58, 'the Litecoin testnet'],
  [111, 'a testnet (Bitcoin or Litecoin)'],
  [113, 'the Dogecoin testnet'],
  [196, 'a testnet (Bitcoin, Litecoin or Dogecoin)'],
]);

const PRIVATE_KEY_VERSIONS: ReadonlySet<number> = new Set([128, 158, 176, 239, 241]);

const KNOWN_PREFIXES: readonly (readonly [prefix: string, meaning: string])[] = [
  ['tb1', 'an address of the Bitcoin testnet'],
  ['bcrt1', 'an address of a Bitcoin regtest network'],
  ['tltc1', 'an address of the Litecoin testnet'],
  ['rltc1', 'an address of a Litecoin regtest network'],
  ['ltcmweb1', 'a Litecoin extension block (MWEB) address, which cannot be used here'],
  ['bc1', 'a Bitcoin address'],
  ['ltc1', 'a Litecoin address'],
  ['sp1', 'a silent payment address, which cannot be used here'],
  ['lnbc', 'a Lightning invoice, not an address'],
];

export function createBitcoinLikeChecker(format: BitcoinLikeFormat): AddressChecker {
  return (text) => {
    const isBase58Length = text.length >= SHORTEST_BASE58 && text.length <= LONGEST_BASE58;
    // A base58 address may happen to begin with the letters of a segwit prefix, so base58 is tried first.
    const base58Check = isBase58Length ? checkBase58Address(text, format) : undefined;
    if (base58Check?.ok) return base58Check;
    const lower = text.toLowerCase();
    const { segwitPrefix } = format;
    if (segwitPrefix !== undefined && lower.startsWith(`${segwitPrefix}1`)) {
      return checkSegwitAddress(text, segwitPrefix);
    }
    const foreign = KNOWN_PREFIXES.find(([prefix]) => lower.startsWith(prefix));
    if (foreign !== undefined) {
      return refused(`This is ${foreign[1]}. A ${format.coin} address is ${format.form}.`);
    }
    return base58Check ?? refuseByLength(text, format);
  };
}

function checkBase58Address(text: string, format: BitcoinLikeFormat): AddressCheck {
  const decoding = decodeBase58Check(text);
  if (!decoding.ok) return refused(decoding.reason);
  const [version = -1, ...hash] = decoding.payload;
  if (hash.length !== HASH_BYTES) {
    return refused(`The address holds ${hash.length} bytes instead of ${HASH_BYTES}; copy it whole.`);
  }
  if (format.versions.has(version)) return accepted(text);
  const owner = KNOWN_VERSIONS.get(version);
  const meaning = owner === undefined ? 'an address of another network' : `an address of ${owner}`;
  return refused(`This is ${meaning}. A ${format.coin} address is ${format.form}.`);
}

function refuseByLength(text: string, format: BitcoinLikeFormat): AddressCheck {
  if (text.length > LONGEST_BASE58 && text.length <= LONGEST_WIF && isPrivateKey(text)) {
    return refused(
      'This is a private key, which must never be shown to anyone: move its funds and enter an address instead.',
    );
  }
  return refused(
    `The address has ${text.length} characters, which no ${format.coin} address has. It is ${format.form}.`,
  );
}

function isPrivateKey(text: string): boolean {
  const decoding = decodeBase58Check(text);
  return decoding.ok && PRIVATE_KEY_VERSIONS.has(decoding.payload[0] ?? 0);
}
