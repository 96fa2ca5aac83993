import { utf8ToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { crc16Xmodem, crc32, crc32OfAscii } from './crc.ts';

// The check values of the CRC catalogue (reveng) for "123456789"; the CRC-32 of ABCD01 from the Internet Computer interface specification.
describe('checksums', () => {
  it('CRC-16/XMODEM has its catalogued check value', () => {
    expect(crc16Xmodem(utf8ToBytes('123456789'))).toBe(0x31c3);
  });

  it('CRC-32 has its catalogued check value', () => {
    expect(crc32(utf8ToBytes('123456789'))).toBe(0xcbf43926);
    expect(crc32(Uint8Array.of(0xab, 0xcd, 0x01))).toBe(0x233ff206);
    expect(crc32(new Uint8Array(0))).toBe(0);
    expect(crc32OfAscii('123456789')).toBe(0xcbf43926);
    expect(crc32OfAscii('123456789yy', 9)).toBe(0xcbf43926);
  });

  it('both read the given part of the bytes only', () => {
    const padded = utf8ToBytes('xx123456789yy');
    expect(crc16Xmodem(padded, 2, 11)).toBe(0x31c3);
    expect(crc32(padded, 2, 11)).toBe(0xcbf43926);
  });
});
