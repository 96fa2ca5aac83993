import { checker, refuse } from './checker.ts';

/** The expression of HIP-15, with a bound on the digits so that numbers stay within 64 bits. */
const ACCOUNT_ID = /^((?:0|[1-9]\d{0,18})\.(?:0|[1-9]\d{0,18})\.(?:0|[1-9]\d{0,18}))(?:-([a-z]{5}))?$/;
const LARGEST_PART = 2n ** 63n - 1n;
const MAINNET_LEDGER_BYTES = [0] as const;
const LETTERS = 26;
const THREE_LETTERS = LETTERS ** 3;
const FIVE_LETTERS = LETTERS ** 5;
const FIRST_LETTER_CODE = 97;

/** Hedera account id `shard.realm.num`, optionally with its HIP-15 checksum for mainnet; stored without it. */
export const checkHederaAddress = checker((text) => {
  if (text.startsWith('0x')) refuse('Enter the Hedera account id (such as 0.0.123456), not its EVM address.');
  const match = ACCOUNT_ID.exec(text);
  const accountId = match?.[1];
  if (accountId === undefined)
    refuse(
      'A Hedera account id is three numbers without leading zeros, such as 0.0.123456, optionally followed by - and five lower-case letters.',
    );
  if (accountId.split('.').some((part) => BigInt(part) > LARGEST_PART))
    refuse('A number in the Hedera account id is too large.');
  const checksum = match?.[2];
  if (checksum !== undefined && checksum !== hederaChecksum(accountId))
    refuse(
      'The checksum after the dash does not match: a character is wrong, or the account id is meant for a testnet.',
    );
  return accountId;
});

/** The algorithm of HIP-15; every intermediate value stays far below 2⁵³. */
function hederaChecksum(accountId: string): string {
  const digits = Array.from(accountId, (character) => (character === '.' ? 10 : Number(character)));
  const sumOf = (parity: number) =>
    digits.reduce((sum, digit, index) => (index % 2 === parity ? sum + digit : sum), 0) % 11;
  const weighted = digits.reduce((sum, digit) => (sum * 31 + digit) % THREE_LETTERS, 0);
  const ledger = [...MAINNET_LEDGER_BYTES, 0, 0, 0, 0, 0, 0].reduce(
    (sum, byte) => (sum * 31 + byte) % FIVE_LETTERS,
    0,
  );
  const combined =
    ((((digits.length % 5) * 11 + sumOf(0)) * 11 + sumOf(1)) * THREE_LETTERS + weighted + ledger) %
    FIVE_LETTERS;
  let permuted = (combined * 1_000_003) % FIVE_LETTERS;
  let letters = '';
  for (let index = 0; index < 5; index += 1) {
    letters = String.fromCharCode(FIRST_LETTER_CODE + (permuted % LETTERS)) + letters;
    permuted = Math.floor(permuted / LETTERS);
  }
  return letters;
}
