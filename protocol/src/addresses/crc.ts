/** All are table driven: the scan of free text computes them for everything that resembles an address, and every call for its token. */

const CRC16_TABLE = buildTable(16);
const CRC32_TABLE = buildTable(32);

/** CRC-16/XMODEM (polynomial 0x1021, most significant bit first, initial value 0): TON and Stellar StrKey. */
export function crc16Xmodem(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let crc = 0;
  for (let index = start; index < end; index += 1) {
    const entry = CRC16_TABLE[(crc >>> 8) ^ (bytes[index] ?? 0)] ?? 0;
    crc = ((crc << 8) ^ entry) & 0xffff;
  }
  return crc;
}

/** CRC-32 of ISO 3309 (reflected polynomial 0xedb88320): Cardano Byron and the Internet Computer. */
export function crc32(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let crc = -1;
  for (let index = start; index < end; index += 1) {
    const entry = CRC32_TABLE[(crc ^ (bytes[index] ?? 0)) & 0xff] ?? 0;
    crc = (crc >>> 8) ^ entry;
  }
  return ~crc >>> 0;
}

/** The same over the codes of ASCII text. */
export function crc32OfAscii(text: string, end = text.length): number {
  let crc = -1;
  for (let index = 0; index < end; index += 1) {
    const entry = CRC32_TABLE[(crc ^ text.charCodeAt(index)) & 0xff] ?? 0;
    crc = (crc >>> 8) ^ entry;
  }
  return ~crc >>> 0;
}

function buildTable(bits: 16 | 32): Int32Array {
  const table = new Int32Array(256);
  for (let byte = 0; byte < 256; byte += 1) {
    let value = bits === 16 ? byte << 8 : byte;
    for (let bit = 0; bit < 8; bit += 1) {
      value = bits === 16 ? shiftLeft16(value) : shiftRight32(value);
    }
    table[byte] = value;
  }
  return table;
}

function shiftLeft16(value: number): number {
  return (value & 0x8000 ? (value << 1) ^ 0x1021 : value << 1) & 0xffff;
}

function shiftRight32(value: number): number {
  return value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
}
