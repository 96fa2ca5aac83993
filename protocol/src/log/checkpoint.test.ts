import { utf8ToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { ed25519PublicKey } from '../proofs/ed25519.ts';
import {
  cosignNote,
  decodeEntries,
  encodeEntries,
  formatCheckpoint,
  formatLogProof,
  formatNote,
  formatVerifierKey,
  inclusionRanges,
  leafHash,
  type NoteKey,
  nodeHash,
  openCheckpoint,
  parseCheckpoint,
  parseLogProof,
  parseNote,
  parseTilePath,
  parseVerifierKey,
  signNote,
  tilePath,
  tileWidth,
  verifiedSigners,
  verifyLogProof,
} from './index.ts';

const seed = (n: number) => new Uint8Array(32).fill(n);
const ORIGIN = 'pay.example/log';
const log: NoteKey = { name: ORIGIN, kind: 'signature', publicKey: ed25519PublicKey(seed(1)) };
const witness: NoteKey = {
  name: 'witness.example',
  kind: 'cosignature',
  publicKey: ed25519PublicKey(seed(2)),
};

const entries = ['first', 'second', 'third'].map((text) => utf8ToBytes(text));
const [a, b, c] = entries.map(leafHash) as [Uint8Array, Uint8Array, Uint8Array];
const root = nodeHash(nodeHash(a, b), c);
const text = formatCheckpoint({ origin: ORIGIN, size: 3, root });
const signed = formatNote(text, [
  signNote(text, ORIGIN, seed(1)),
  cosignNote(text, 'witness.example', seed(2), 1_763_200_000),
]);
const proof = formatLogProof({ index: 2, hashes: [nodeHash(a, b)], checkpoint: signed });

describe('signed notes', () => {
  it('verify as the specification shows', () => {
    const key = parseVerifierKey('example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k');
    const note = parseNote(
      'This is an example message.\n\n— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n',
    );
    if (!key || !note) throw new Error('the example is not read');
    expect(verifiedSigners(note, [key])).toEqual([key]);
    expect(verifiedSigners({ ...note, text: 'Another message.\n' }, [key])).toBeUndefined();
    expect(verifiedSigners(note, [log])).toEqual([]);
  });

  it('name their keys in one line that can be read back', () => {
    for (const key of [log, witness]) expect(parseVerifierKey(formatVerifierKey(key))).toEqual(key);
    expect(parseVerifierKey(formatVerifierKey(log).replace('pay.', 'bay.'))).toBeUndefined();
  });

  it.each([
    ['no signature', text],
    ['no line end behind the last signature', signed.slice(0, -1)],
    ['a control character', signed.replace('\n3\n', '\n3\t\n')],
    ['a signature that is not base64', signed.replace(/— witness.example .*/, '— witness.example !!')],
  ])('are refused with %s', (_, note) => {
    expect(parseNote(note)).toBeUndefined();
  });
});

describe('checkpoints', () => {
  it('name the keys that signed them', () => {
    expect(openCheckpoint(signed, log, [witness])).toEqual({
      checkpoint: { origin: ORIGIN, size: 3, root },
      witnesses: [witness],
    });
    expect(openCheckpoint(signed, log)?.witnesses).toEqual([]);
  });

  it('are refused when any byte of them is another', () => {
    for (let at = 0; at < signed.length; at += 1) {
      const changed = signed.slice(0, at) + (signed[at] === 'A' ? 'B' : 'A') + signed.slice(at + 1);
      const opened = openCheckpoint(changed, log, [witness]);
      // The name of a witness may change: then it is an unknown one, whose word counts for nothing.
      if (opened) expect(opened.witnesses).toEqual([]);
    }
    expect(openCheckpoint(signed, { ...log, publicKey: witness.publicKey })).toBeUndefined();
    expect(openCheckpoint(signed, { ...log, name: 'other.example/log' })).toBeUndefined();
  });

  it.each(['', 'a\n3\n', 'a\n03\nAAAA\n', `a\n3\n${'A'.repeat(43)}=`, 'a\n-1\nAAAA\n', 'a\n\nAAAA\n'])(
    'are not read from %j',
    (wrong) => {
      expect(parseCheckpoint(wrong)).toBeUndefined();
    },
  );
});

describe('proofs that an entry is in the log', () => {
  it('hold for the entry they were made for', () => {
    expect(inclusionRanges(2, 3)).toEqual([{ start: 0, end: 2 }]);
    expect(verifyLogProof(proof, c, log, [witness])).toMatchObject({ index: 2, witnesses: [witness] });
    expect(verifyLogProof(proof, b, log)).toBeUndefined();
  });

  it('show nothing when any byte of them is another', () => {
    const checkpointAt = proof.indexOf('\n\n') + 2;
    for (let at = 0; at < checkpointAt; at += 1) {
      const changed = proof.slice(0, at) + (proof[at] === 'A' ? 'B' : 'A') + proof.slice(at + 1);
      expect(verifyLogProof(changed, c, log)).toBeUndefined();
    }
    expect(parseLogProof(proof.replace('index 2', 'index 02'))).toBeUndefined();
  });
});

describe('tiles', () => {
  it.each([
    [{ level: 0, index: 1_234_067, width: 256 }, 'tile/0/x001/x234/067'],
    [{ level: 'entries', index: 0, width: 112 }, 'tile/entries/000.p/112'],
    [{ level: 2, index: 999, width: 1 }, 'tile/2/999.p/1'],
    [{ level: 1, index: 1000, width: 256 }, 'tile/1/x001/000'],
  ] as const)('%j have the path %s', (tile, path) => {
    expect(tilePath(tile)).toBe(path);
    expect(parseTilePath(path)).toEqual(tile);
  });

  it.each([
    'tile/64/000',
    'tile/00/000',
    'tile/0/0',
    'tile/0/x000/001',
    'tile/0/000.p/256',
    'tile/0/000.p/0',
    'tile/0/000/../001',
    'tile/entries/x001/x000/x000/x000/x000/000',
  ])('%s names none', (path) => {
    expect(parseTilePath(path)).toBeUndefined();
  });

  it('have the widths of the published example', () => {
    const width = (level: number, index: number) => tileWidth({ level, index }, 70_000);
    expect([width(0, 272), width(0, 273), width(0, 274)]).toEqual([256, 112, 0]);
    expect([width(1, 0), width(1, 1), width(2, 0), width(3, 0)]).toEqual([256, 17, 1, 0]);
  });

  it('carry entries that can be read back, and only whole ones', () => {
    const bundle = encodeEntries(entries);
    expect(decodeEntries(bundle)).toEqual(entries);
    expect(decodeEntries(bundle.subarray(0, -1))).toBeUndefined();
    expect(decodeEntries(bundle.subarray(0, 1))).toBeUndefined();
    expect(() => encodeEntries([new Uint8Array(65_536)])).toThrow('longer than 65,535 bytes');
  });
});
