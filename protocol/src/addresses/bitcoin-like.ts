import { bech32, bech32m } from '@scure/base';
import { encodeBase58Check, readBase58Check } from './base58check.ts';
import { attempt, BECH32_ALPHABET, checker, isOneCase, needAlphabet, refuse } from './checker.ts';

const SHORTEST_BASE58 = 26;
const LONGEST_BASE58 = 35;
const LONGEST_WIF = 52;
const HASH_BYTES = 20;
const LONGEST_SEGWIT = 90;
const HIGHEST_WITNESS_VERSION = 16;

interface BitcoinLikeFormat {
  readonly coin: string;
  /** The address's form, as the object of "The address must be …". */
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

/** Bitcoin mainnet: P2PKH (1…), P2SH (3…), and native segregated witness including taproot (bc1…). */
export const checkBitcoinAddress = checker(
  bitcoinLike({
    coin: 'Bitcoin',
    form: 'one that begins with 1, 3 or bc1',
    versions: new Set([0, 5]),
    segwitPrefix: 'bc',
  }),
);

/** Dogecoin mainnet: P2PKH (D…) and P2SH (9… or A…); Dogecoin has no segregated witness. */
export const checkDogecoinAddress = checker(
  bitcoinLike({
    coin: 'Dogecoin',
    form: 'one that begins with D, 9 or A',
    versions: new Set([30, 22]),
  }),
);

const OLD_SCRIPT_HASH = 5;
const LITECOIN_SCRIPT_HASH = 50;

const readPresentLitecoin = bitcoinLike({
  coin: 'Litecoin',
  form: 'one that begins with L, M or ltc1',
  versions: new Set([48, LITECOIN_SCRIPT_HASH]),
  segwitPrefix: 'ltc',
});

/**
 * Litecoin mainnet: P2PKH (L…), P2SH (M…), native segregated witness (ltc1…). Litecoin still reads the old P2SH form
 * (3…), which is a Bitcoin address to everybody else: it is refused, and the refusal names its M… twin.
 */
export const checkLitecoinAddress = checker((text) => {
  const twin = litecoinTwinOf(text);
  if (twin === undefined) return readPresentLitecoin(text);
  return refuse(
    `This form is also a Bitcoin address. If it is meant for Litecoin, enter it in its present form: ${twin}`,
  );
});

/** The M… form of an old script address, which Litecoin shares with Bitcoin; undefined for everything else. */
export function litecoinTwinOf(text: string): string | undefined {
  const payload = text.startsWith('3') ? attempt(() => readBase58Check(text)) : undefined;
  if (payload?.length !== 1 + HASH_BYTES || payload[0] !== OLD_SCRIPT_HASH) return undefined;
  return encodeBase58Check(Uint8Array.of(LITECOIN_SCRIPT_HASH, ...payload.subarray(1)));
}

function bitcoinLike(format: BitcoinLikeFormat): (text: string) => string {
  return (text) => {
    // A base58 address may happen to begin with the letters of a segwit prefix, so base58 is tried first.
    const isBase58 = text.length >= SHORTEST_BASE58 && text.length <= LONGEST_BASE58;
    const base58 = isBase58 ? attempt(() => readBase58Address(text, format)) : undefined;
    if (base58 !== undefined) return base58;
    const lower = text.toLowerCase();
    const { segwitPrefix } = format;
    if (segwitPrefix !== undefined && lower.startsWith(`${segwitPrefix}1`))
      return readSegwit(text, segwitPrefix);
    const foreign = KNOWN_PREFIXES.find(([prefix]) => lower.startsWith(prefix));
    if (foreign !== undefined) refuse(`This is ${foreign[1]}. A ${format.coin} address is ${format.form}.`);
    return isBase58 ? readBase58Address(text, format) : refuseByLength(text, format);
  };
}

function readBase58Address(text: string, format: BitcoinLikeFormat): string {
  const [version = -1, ...hash] = readBase58Check(text);
  if (hash.length !== HASH_BYTES)
    refuse(`The address holds ${hash.length} bytes instead of ${HASH_BYTES}; copy it whole.`);
  if (format.versions.has(version)) return text;
  const owner = KNOWN_VERSIONS.get(version) ?? 'another network';
  return refuse(`This is an address of ${owner}. A ${format.coin} address is ${format.form}.`);
}

function refuseByLength(text: string, format: BitcoinLikeFormat): never {
  const mayBeKey = text.length > LONGEST_BASE58 && text.length <= LONGEST_WIF;
  const version = mayBeKey ? attempt(() => readBase58Check(text))?.[0] : undefined;
  if (version !== undefined && PRIVATE_KEY_VERSIONS.has(version))
    refuse(
      'This is a private key, which must never be shown to anyone: move its funds and enter an address instead.',
    );
  refuse(
    `The address has ${text.length} characters, which no ${format.coin} address has. It is ${format.form}.`,
  );
}

/**
 * Parses a native segregated witness address (BIP-173, BIP-350) and returns it in lower case. Every version up to 16 is
 * accepted, as BIP-350 requires, so that addresses of a later soft fork are accepted too.
 */
function readSegwit(text: string, prefix: string): string {
  if (text.length > LONGEST_SEGWIT)
    refuse(`A ${prefix}1 address has at most ${LONGEST_SEGWIT} characters; this has ${text.length}.`);
  const lower = text.toLowerCase();
  if (!isOneCase(text)) refuse(`A ${prefix}1 address is all lower case or all upper case, never mixed.`);
  if (!lower.startsWith(`${prefix}1`)) refuse(`The address must begin with ${prefix}1.`);
  const data = lower.slice(prefix.length + 1);
  needAlphabet(data, BECH32_ALPHABET, 'bech32', prefix.length + 1);
  const plain = bech32.decodeUnsafe(lower);
  const decoded = plain || bech32m.decodeUnsafe(lower);
  if (!decoded)
    refuse('The checksum does not match: a character is wrong, missing or added. Copy the address again.');
  judgeWitness(decoded.words, plain !== undefined);
  return lower;
}

function judgeWitness(words: readonly number[], isBech32: boolean): void {
  const version = words[0];
  if (version === undefined) refuse('The address is empty after its prefix; copy it whole.');
  if (version > HIGHEST_WITNESS_VERSION) refuse(`Witness version ${version} does not exist (0 to 16 do).`);
  if (version === 0 && !isBech32)
    refuse('The checksum is of the kind bech32m, but an address of witness version 0 uses bech32.');
  if (version !== 0 && isBech32)
    refuse(
      `The checksum is of the kind bech32, but an address of witness version ${version} uses bech32m. The wallet that made it is out of date.`,
    );
  const program = bech32.fromWordsUnsafe(words.slice(1));
  if (!program) refuse('The last character carries surplus bits; copy the address again.');
  const isRightLength =
    version === 0
      ? program.length === 20 || program.length === 32
      : program.length >= 2 && program.length <= 40;
  if (!isRightLength)
    refuse(
      `The address holds ${program.length} bytes, which witness version ${version} does not allow; copy it whole.`,
    );
}
