import { encodeRippleBase58Check, readRippleBase58Check } from './base58check.ts';
import { attempt, checker, refuse } from './checker.ts';

const SHORTEST_CLASSIC = 25;
const LONGEST_CLASSIC = 35;
const X_ADDRESS_LENGTH = 47;
const ACCOUNT_VERSION = 0;
const ACCOUNT_BYTES = 20;
const X_MAINNET = [0x05, 0x44] as const;
const X_TESTNET = [0x04, 0x93] as const;

/**
 * XRP Ledger classic address (r…). X-addresses combine the address and the destination tag. Here the tag has a separate
 * field (`memo`), and a value must have a single source, so X-addresses are refused with an error that spells out both
 * parts.
 */
export const checkXrplAddress = checker((text) => {
  if (text.length === X_ADDRESS_LENGTH && /^[XT]/.test(text)) refuseXAddress(text);
  if (text.startsWith('s') && text.length < LONGEST_CLASSIC && attempt(() => readRippleBase58Check(text)))
    refuse(
      'This is a secret seed, which must never be shown to anyone: move its funds and enter the address (r…).',
    );
  if (!text.startsWith('r')) refuse('An XRP Ledger address begins with r.');
  if (text.length < SHORTEST_CLASSIC || text.length > LONGEST_CLASSIC)
    refuse(
      `An XRP Ledger address has ${SHORTEST_CLASSIC} to ${LONGEST_CLASSIC} characters; this has ${text.length}.`,
    );
  const payload = readRippleBase58Check(text);
  // The letter r in front is the version byte 0 of accounts, so that only the length is left to check.
  if (payload.length !== 1 + ACCOUNT_BYTES)
    refuse('This is valid XRP Ledger base58, but not an account address; copy the address (r…) whole.');
  return text;
});

function refuseXAddress(text: string): never {
  const payload = readRippleBase58Check(text);
  const isMainnet = payload[0] === X_MAINNET[0] && payload[1] === X_MAINNET[1];
  const isTestnet = payload[0] === X_TESTNET[0] && payload[1] === X_TESTNET[1];
  if (isTestnet) refuse('This is an X-address of an XRP Ledger testnet; enter a mainnet address (r…).');
  const flags = payload[22];
  if (!isMainnet || payload.length !== 31 || flags === undefined || flags > 1)
    refuse('This X-address is of an unknown kind; enter the classic address (r…).');
  const classic = encodeRippleBase58Check(Uint8Array.from([ACCOUNT_VERSION, ...payload.subarray(2, 22)]));
  if (flags === 0) refuse(`X-addresses are not used here; enter ${classic} without a memo.`);
  const tag = new DataView(payload.buffer, payload.byteOffset).getUint32(23, true);
  refuse(`X-addresses are not used here; enter ${classic} and the destination tag ${tag} as memo.`);
}
