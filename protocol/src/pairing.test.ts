import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as pairing from './pairing.ts';
import {
  buildPairingUri,
  formatPairingCode,
  newPairingCode,
  normalisePairingCode,
  pairingWebLink,
  parsePairingUri,
  parsePairingWebLink,
} from './pairing.ts';

describe('pairing codes', () => {
  it('are eight letters of the alphabet, shown in two groups', () => {
    for (let round = 0; round < 200; round += 1) {
      const code = newPairingCode((length) => new Uint8Array(randomBytes(length)));
      expect(formatPairingCode(code)).toMatch(new RegExp(pairing.PAIRING_CODE_PATTERN));
      expect(normalisePairingCode(formatPairingCode(code))).toBe(code);
    }
  });

  it('use every letter equally often: bytes above the last full round are thrown away', () => {
    const counts = new Map<string, number>();
    let next = 0;
    const everyByte = (length: number) => Uint8Array.from({ length }, () => next++ % 256);
    for (let round = 0; round < 16; round += 1) {
      for (const letter of newPairingCode(everyByte)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    }
    expect([...counts.keys()].every((letter) => pairing.PAIRING_CODE_ALPHABET.includes(letter))).toBe(true);
    let asked = 0;
    const highFirst = (length: number) => new Uint8Array(length).fill(asked++ === 0 ? 255 : 0);
    expect(newPairingCode(highFirst)).toBe('BBBBBBBB');
    expect(asked).toBe(2);
  });

  it('are read without case, hyphen and surrounding space', () => {
    for (const typed of ['BCDF-GHJK', 'bcdfghjk', ' bcdf-ghjk ', 'b-c-d-f-g-h-j-k']) {
      expect(normalisePairingCode(typed), typed).toBe('BCDFGHJK');
    }
    for (const typed of [
      '',
      'BCDFGHJ',
      'BCDFGHJKL',
      'ABCDEFGH',
      'BCDF GHJK',
      'BCDF–GHJK',
      '-'.repeat(1000),
    ]) {
      expect(normalisePairingCode(typed), typed).toBeUndefined();
    }
  });
});

describe('pairing URI', () => {
  const link = {
    sessionId: 'pair_01ARYZ6S410000000000000000',
    code: 'BCDFGHJK',
    origin: 'http://127.0.0.1:8787',
  };

  it('carries the code without hyphen and a percent-encoded origin', () => {
    expect(buildPairingUri(link)).toBe(
      'svc://pair?session=pair_01ARYZ6S410000000000000000&code=BCDFGHJK&origin=http%3A%2F%2F127.0.0.1%3A8787',
    );
  });

  it('is read back', () => {
    expect(parsePairingUri(buildPairingUri(link))).toEqual(link);
  });

  it('leads to the page of the wallet that takes its code, for phones without the app', () => {
    const page = pairingWebLink(buildPairingUri(link));
    expect(page).toBe('http://127.0.0.1:8787/wallet/connect#BCDF-GHJK');
    expect(parsePairingWebLink(page)).toEqual({ origin: 'http://127.0.0.1:8787', code: 'BCDFGHJK' });
    expect(pairingWebLink('something else')).toBe('something else');
    for (const other of [
      page.replace('http:', 'javascript:'),
      page.replace('127', 'user:pass@127'),
      page.replace('/wallet', '/else/wallet'),
      page.replace('#', '?'),
      page.replace('BCDF', 'AAAA'),
      `${page}/x`,
    ])
      expect(parsePairingWebLink(other), other).toBeUndefined();
  });

  it('is refused when a member is missing, repeated or not what it should be', () => {
    const good = buildPairingUri(link);
    const bad = [
      '',
      good.replace('svc:', 'https:'),
      good.replace('pair?', 'pay?'),
      good.replace('&code=BCDFGHJK', ''),
      `${good}&code=BCDFGHJL`,
      `${good}&origin=https%3A%2F%2Fevil.example`,
      good.replace('BCDFGHJK', 'AAAAAAAA'),
      good.replace('http%3A', 'javascript%3A'),
      good.replace('127', 'user%3Apass%40127'),
      `${good}#x`,
    ];
    for (const uri of bad) expect(parsePairingUri(uri), uri).toBeUndefined();
  });
});
