import { checker, refuse } from './checker.ts';
import { readLongBech32 } from './long-bech32.ts';

const PREFIX = 'cosmos';
/** 20 bytes: accounts of keys. 32 bytes: module, interchain and contract accounts (ADR-028 of the Cosmos SDK). */
const ACCOUNT_LENGTHS: readonly number[] = [20, 32];
const LONGEST_TEXT = 120;

const OTHER_PREFIXES: ReadonlyMap<string, string> = new Map([
  ['cosmosvaloper', 'the operator of a validator'],
  ['cosmosvalcons', 'the consensus key of a validator'],
  ['cosmospub', 'a public key'],
  ['cosmosvaloperpub', 'the public key of a validator operator'],
  ['cosmosvalconspub', 'the consensus public key of a validator'],
]);

/** Cosmos Hub account, stored in lower case. */
export const checkCosmosAddress = checker((text) => {
  if (text.length > LONGEST_TEXT)
    refuse(`A Cosmos Hub address has 45 or 65 characters; this has ${text.length}.`);
  const lower = text.toLowerCase();
  const prefix = lower.slice(0, Math.max(lower.lastIndexOf('1'), 0));
  if (prefix !== PREFIX) refusePrefix(prefix);
  const { bytes, canonical } = readLongBech32(text);
  if (!ACCOUNT_LENGTHS.includes(bytes.length))
    refuse(`The address holds ${bytes.length} bytes; a Cosmos Hub account has 20 or 32.`);
  return canonical;
});

function refusePrefix(prefix: string): never {
  const meaning = OTHER_PREFIXES.get(prefix);
  if (meaning !== undefined)
    refuse(
      `The prefix ${prefix}1 means ${meaning}, not an account; enter the address that begins with cosmos1.`,
    );
  const beginning = prefix === '' ? '' : `The address begins with "${prefix}1". `;
  refuse(`${beginning}A Cosmos Hub address begins with cosmos1.`);
}
