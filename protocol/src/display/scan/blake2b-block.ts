/**
 * BLAKE2b (RFC 7693) of at most one block, without a key, first word only: the checksum of Filecoin and SS58 addresses. As with
 * SHA-256 the scan needs it for everything that resembles an address; 64-bit words are pairs of 32-bit halves, low half first.
 */

const BLOCK_BYTES = 128;
const ROUNDS = 12;
const MESSAGE_WORDS = 16;

const INITIAL = Int32Array.of(
  0xf3bcc908,
  0x6a09e667,
  0x84caa73b,
  0xbb67ae85,
  0xfe94f82b,
  0x3c6ef372,
  0x5f1d36f1,
  0xa54ff53a,
  0xade682d1,
  0x510e527f,
  0x2b3e6c1f,
  0x9b05688c,
  0xfb41bd6b,
  0x1f83d9ab,
  0x137e2179,
  0x5be0cd19,
);

/** The message word of each step, a hexadecimal digit each; rounds 10 and 11 repeat 0 and 1. */
const PERMUTATIONS = [
  '0123456789abcdef',
  'ea489fd61c02b753',
  'b8c052fdae367194',
  '7931dcbe265a40f8',
  '905724afe1bc683d',
  '2c6a0b834d75fe19',
  'c51fed4a0763928b',
  'db7ec13950f4862a',
  '6fe9b308c2d714a5',
  'a2847615fb9e3cd0',
] as const;
const ORDER = Uint8Array.from({ length: ROUNDS * MESSAGE_WORDS }, (_, step) => {
  const permutation = PERMUTATIONS[Math.floor(step / MESSAGE_WORDS) % PERMUTATIONS.length] ?? '';
  return 2 * Number.parseInt(permutation.charAt(step % MESSAGE_WORDS), 16);
});

const state = new Int32Array(32);
const message = new Int32Array(32);

/** The first four bytes of the digest of `digestLength` bytes, little endian, as a signed 32-bit number. */
export function blake2bHead(bytes: Uint8Array, length: number, digestLength: number): number {
  if (length > BLOCK_BYTES) throw new RangeError('the message does not fit one block');
  message.fill(0);
  for (let index = 0; index < length; index += 1) {
    const word = index >> 2;
    message[word] = (message[word] ?? 0) | ((bytes[index] ?? 0) << ((index & 3) * 8));
  }
  // Parameter block: digest length, no key, fan-out and depth 1.
  const first = (INITIAL[0] ?? 0) ^ 0x01010000 ^ digestLength;
  state.set(INITIAL);
  state.set(INITIAL, 16);
  state[0] = first;
  state[24] = (state[24] ?? 0) ^ length;
  state[28] = ~(state[28] ?? 0);
  state[29] = ~(state[29] ?? 0);
  for (let step = 0; step < ORDER.length; step += MESSAGE_WORDS) round(step);
  return first ^ (state[0] ?? 0) ^ (state[16] ?? 0);
}

function round(step: number): void {
  mix(0, 8, 16, 24, step);
  mix(2, 10, 18, 26, step + 2);
  mix(4, 12, 20, 28, step + 4);
  mix(6, 14, 22, 30, step + 6);
  mix(0, 10, 20, 30, step + 8);
  mix(2, 12, 22, 24, step + 10);
  mix(4, 14, 16, 26, step + 12);
  mix(6, 8, 18, 28, step + 14);
}

/** The function G; its four words stand at the given places of the state. */
function mix(a: number, b: number, c: number, d: number, step: number): void {
  const x = ORDER[step] ?? 0;
  const y = ORDER[step + 1] ?? 0;
  let bLow = state[b] ?? 0;
  let bHigh = state[b + 1] ?? 0;
  let dLow = state[d] ?? 0;
  let dHigh = state[d + 1] ?? 0;

  let aLow = state[a] ?? 0;
  let sum = (aLow + bLow) | 0;
  let aHigh = ((state[a + 1] ?? 0) + bHigh + carry(aLow, bLow, sum)) | 0;
  let word = message[x] ?? 0;
  aLow = (sum + word) | 0;
  aHigh = (aHigh + (message[x + 1] ?? 0) + carry(sum, word, aLow)) | 0;

  let low = dLow ^ aLow;
  dLow = dHigh ^ aHigh;
  dHigh = low;
  let cLow = state[c] ?? 0;
  sum = (cLow + dLow) | 0;
  let cHigh = ((state[c + 1] ?? 0) + dHigh + carry(cLow, dLow, sum)) | 0;
  cLow = sum;
  low = bLow ^ cLow;
  let high = bHigh ^ cHigh;
  bLow = (low >>> 24) | (high << 8);
  bHigh = (high >>> 24) | (low << 8);

  sum = (aLow + bLow) | 0;
  aHigh = (aHigh + bHigh + carry(aLow, bLow, sum)) | 0;
  word = message[y] ?? 0;
  aLow = (sum + word) | 0;
  aHigh = (aHigh + (message[y + 1] ?? 0) + carry(sum, word, aLow)) | 0;
  low = dLow ^ aLow;
  high = dHigh ^ aHigh;
  dLow = (low >>> 16) | (high << 16);
  dHigh = (high >>> 16) | (low << 16);
  sum = (cLow + dLow) | 0;
  cHigh = (cHigh + dHigh + carry(cLow, dLow, sum)) | 0;
  low = bLow ^ sum;
  high = bHigh ^ cHigh;
  state[a] = aLow;
  state[a + 1] = aHigh;
  state[b] = (high >>> 31) | (low << 1);
  state[b + 1] = (low >>> 31) | (high << 1);
  state[c] = sum;
  state[c + 1] = cHigh;
  state[d] = dLow;
  state[d + 1] = dHigh;
}

/** 1 when adding the low halves overflowed 32 bits. */
function carry(left: number, right: number, sum: number): number {
  return ((left & right) | ((left | right) & ~sum)) >>> 31;
}
