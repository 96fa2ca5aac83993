/**
 * Keccak-256 of the 40 hex digits of an EVM address (EIP-55). Written out lane by lane with 64-bit lanes as pairs of 32-bit halves: the scan
 * hashes everything that resembles a mixed-case address, and this takes less than half of the time of a general sponge.
 */

const ROUNDS = 24;
const DIGITS = 40;
const LANES = 25;
/** Rate of Keccak-256 in 32-bit words; the last bit of the padding is the top bit of the last one. */
const RATE_WORDS = 34;

const state = new Int32Array(2 * LANES);
const scratch = new Int32Array(2 * LANES);
/** What theta adds to each of the five columns, as halves. */
const parity = new Int32Array(10);
const mixed = new Int32Array(10);
const ROUND_CONSTANTS = deriveRoundConstants();

/** The first 20 bytes of the hash: one nibble for each digit. Valid until the next call. */
const nibbles = new Uint8Array(DIGITS);

/** The nibble of the hash that belongs to each of 40 lower-case ASCII digits. */
export function keccakNibbles(digits: Uint8Array): Uint8Array {
  state.fill(0);
  for (let index = 0; index < DIGITS; index += 1) {
    const word = index >> 2;
    state[word] = (state[word] ?? 0) | ((digits[index] ?? 0) << ((index & 3) * 8));
  }
  state[DIGITS >> 2] = 1;
  state[RATE_WORDS - 1] = 0x80000000;
  for (let round = 0; round < ROUNDS; round += 2) {
    permute(state, scratch, round);
    permute(scratch, state, round + 1);
  }
  for (let index = 0; index < DIGITS; index += 1) {
    const byte = (state[index >> 3] ?? 0) >>> (((index >> 1) & 3) * 8);
    nibbles[index] = (index & 1) === 0 ? (byte >>> 4) & 15 : byte & 15;
  }
  return nibbles;
}

function permute(from: Int32Array, into: Int32Array, round: number): void {
  theta(from);
  row0(from, into);
  row1(from, into);
  row2(from, into);
  row3(from, into);
  row4(from, into);
  into[0] = (into[0] ?? 0) ^ (ROUND_CONSTANTS[2 * round] ?? 0);
  into[1] = (into[1] ?? 0) ^ (ROUND_CONSTANTS[2 * round + 1] ?? 0);
}

function theta(from: Int32Array): void {
  for (let half = 0; half < 10; half += 1) {
    parity[half] =
      (from[half] ?? 0) ^
      (from[half + 10] ?? 0) ^
      (from[half + 20] ?? 0) ^
      (from[half + 30] ?? 0) ^
      (from[half + 40] ?? 0);
  }
  mixColumn(0, 8, 2);
  mixColumn(2, 0, 4);
  mixColumn(4, 2, 6);
  mixColumn(6, 4, 8);
  mixColumn(8, 6, 0);
}

function mixColumn(column: number, left: number, right: number): void {
  const low = parity[right] ?? 0;
  const high = parity[right + 1] ?? 0;
  mixed[column] = (parity[left] ?? 0) ^ ((low << 1) | (high >>> 31));
  mixed[column + 1] = (parity[left + 1] ?? 0) ^ ((high << 1) | (low >>> 31));
}

/** One half of a lane after theta. */
function half(from: Int32Array, index: number, column: number): number {
  return (from[index] ?? 0) ^ (mixed[column] ?? 0);
}

function rotated(head: number, tail: number, bits: number): number {
  return (head << bits) | (tail >>> (32 - bits));
}

/** Chi for one row: halves at `at`, `at + 2`, … of the next state. */
function store(into: Int32Array, at: number, a: number, b: number, c: number, d: number, e: number): void {
  into[at] = a ^ (~b & c);
  into[at + 2] = b ^ (~c & d);
  into[at + 4] = c ^ (~d & e);
  into[at + 6] = d ^ (~e & a);
  into[at + 8] = e ^ (~a & b);
}

// Rho and pi say which lane, turned by how many bits, comes to stand in each place of a row. A turn by more than 31 bits
// begins with the halves exchanged.

function row0(from: Int32Array, into: Int32Array): void {
  const aLow = half(from, 0, 0);
  const aHigh = half(from, 1, 1);
  const bLow = half(from, 13, 3);
  const bHigh = half(from, 12, 2);
  const cLow = half(from, 25, 5);
  const cHigh = half(from, 24, 4);
  const dLow = half(from, 36, 6);
  const dHigh = half(from, 37, 7);
  const eLow = half(from, 48, 8);
  const eHigh = half(from, 49, 9);
  store(
    into,
    0,
    aLow,
    rotated(bLow, bHigh, 12),
    rotated(cLow, cHigh, 11),
    rotated(dLow, dHigh, 21),
    rotated(eLow, eHigh, 14),
  );
  store(
    into,
    1,
    aHigh,
    rotated(bHigh, bLow, 12),
    rotated(cHigh, cLow, 11),
    rotated(dHigh, dLow, 21),
    rotated(eHigh, eLow, 14),
  );
}

function row1(from: Int32Array, into: Int32Array): void {
  const aLow = half(from, 6, 6);
  const aHigh = half(from, 7, 7);
  const bLow = half(from, 18, 8);
  const bHigh = half(from, 19, 9);
  const cLow = half(from, 20, 0);
  const cHigh = half(from, 21, 1);
  const dLow = half(from, 33, 3);
  const dHigh = half(from, 32, 2);
  const eLow = half(from, 45, 5);
  const eHigh = half(from, 44, 4);
  store(
    into,
    10,
    rotated(aLow, aHigh, 28),
    rotated(bLow, bHigh, 20),
    rotated(cLow, cHigh, 3),
    rotated(dLow, dHigh, 13),
    rotated(eLow, eHigh, 29),
  );
  store(
    into,
    11,
    rotated(aHigh, aLow, 28),
    rotated(bHigh, bLow, 20),
    rotated(cHigh, cLow, 3),
    rotated(dHigh, dLow, 13),
    rotated(eHigh, eLow, 29),
  );
}

function row2(from: Int32Array, into: Int32Array): void {
  const aLow = half(from, 2, 2);
  const aHigh = half(from, 3, 3);
  const bLow = half(from, 14, 4);
  const bHigh = half(from, 15, 5);
  const cLow = half(from, 26, 6);
  const cHigh = half(from, 27, 7);
  const dLow = half(from, 38, 8);
  const dHigh = half(from, 39, 9);
  const eLow = half(from, 40, 0);
  const eHigh = half(from, 41, 1);
  store(
    into,
    20,
    rotated(aLow, aHigh, 1),
    rotated(bLow, bHigh, 6),
    rotated(cLow, cHigh, 25),
    rotated(dLow, dHigh, 8),
    rotated(eLow, eHigh, 18),
  );
  store(
    into,
    21,
    rotated(aHigh, aLow, 1),
    rotated(bHigh, bLow, 6),
    rotated(cHigh, cLow, 25),
    rotated(dHigh, dLow, 8),
    rotated(eHigh, eLow, 18),
  );
}

function row3(from: Int32Array, into: Int32Array): void {
  const aLow = half(from, 8, 8);
  const aHigh = half(from, 9, 9);
  const bLow = half(from, 11, 1);
  const bHigh = half(from, 10, 0);
  const cLow = half(from, 22, 2);
  const cHigh = half(from, 23, 3);
  const dLow = half(from, 34, 4);
  const dHigh = half(from, 35, 5);
  const eLow = half(from, 47, 7);
  const eHigh = half(from, 46, 6);
  store(
    into,
    30,
    rotated(aLow, aHigh, 27),
    rotated(bLow, bHigh, 4),
    rotated(cLow, cHigh, 10),
    rotated(dLow, dHigh, 15),
    rotated(eLow, eHigh, 24),
  );
  store(
    into,
    31,
    rotated(aHigh, aLow, 27),
    rotated(bHigh, bLow, 4),
    rotated(cHigh, cLow, 10),
    rotated(dHigh, dLow, 15),
    rotated(eHigh, eLow, 24),
  );
}

function row4(from: Int32Array, into: Int32Array): void {
  const aLow = half(from, 5, 5);
  const aHigh = half(from, 4, 4);
  const bLow = half(from, 17, 7);
  const bHigh = half(from, 16, 6);
  const cLow = half(from, 29, 9);
  const cHigh = half(from, 28, 8);
  const dLow = half(from, 31, 1);
  const dHigh = half(from, 30, 0);
  const eLow = half(from, 42, 2);
  const eHigh = half(from, 43, 3);
  store(
    into,
    40,
    rotated(aLow, aHigh, 30),
    rotated(bLow, bHigh, 23),
    rotated(cLow, cHigh, 7),
    rotated(dLow, dHigh, 9),
    rotated(eLow, eHigh, 2),
  );
  store(
    into,
    41,
    rotated(aHigh, aLow, 30),
    rotated(bHigh, bLow, 23),
    rotated(cHigh, cLow, 7),
    rotated(dHigh, dLow, 9),
    rotated(eHigh, eLow, 2),
  );
}

/** The 24 constants of iota, from the shift register x⁸ + x⁶ + x⁵ + x⁴ + 1. */
function deriveRoundConstants(): Int32Array {
  const constants = new Int32Array(2 * ROUNDS);
  let register = 1;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let power = 0; power < 7; power += 1) {
      const bit = 2 ** power - 1;
      const word = 2 * round + (bit >> 5);
      if ((register & 1) === 1) constants[word] = (constants[word] ?? 0) | (1 << (bit & 31));
      register = (register & 0x80) === 0 ? register << 1 : ((register << 1) ^ 0x171) & 0xff;
    }
  }
  return constants;
}
