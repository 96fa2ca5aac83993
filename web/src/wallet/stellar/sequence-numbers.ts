/** What this browser knows about the sequence numbers of its account. */
export interface AccountNumbers {
  /** The last one that the network has used. */
  lastUsed: bigint;
  held: readonly HeldNumber[];
}

/**
 * A number that a signed transaction holds until it expires. The network takes the numbers of an account one by one: an
 * unused number has to go to the next payment, or no later transaction could ever be sent.
 */
interface HeldNumber {
  sequence: bigint;
  /** Unix seconds. */
  validUntil: number;
}

/** Updated by the last number that the network has used, or, without a response from it, by what is known. */
export function numbersNow(kept: AccountNumbers | undefined, lastUsed: bigint, now: Date): AccountNumbers {
  const seconds = now.getTime() / 1_000;
  const held = (kept?.held ?? []).filter(
    ({ sequence, validUntil }) => validUntil >= seconds && sequence > lastUsed,
  );
  return { lastUsed, held };
}

/** The lowest number that the account has not used and no transaction holds. */
export function nextNumber({ lastUsed, held }: AccountNumbers): bigint {
  const taken = new Set(held.map(({ sequence }) => sequence));
  let next = lastUsed + 1n;
  while (taken.has(next)) next += 1n;
  return next;
}

export function holdNumber(numbers: AccountNumbers, held: HeldNumber): AccountNumbers {
  return { ...numbers, held: [...numbers.held, held] };
}

/** Its transaction was discarded, or rejected without using the number. */
export function releaseNumber(numbers: AccountNumbers, sequence: bigint): AccountNumbers {
  return { ...numbers, held: numbers.held.filter((one) => one.sequence !== sequence) };
}

/** Its transaction was applied. The number stays held: another Horizon server may not have the transaction yet. */
export function markUsed(numbers: AccountNumbers, sequence: bigint): AccountNumbers {
  return { ...numbers, lastUsed: sequence > numbers.lastUsed ? sequence : numbers.lastUsed };
}
