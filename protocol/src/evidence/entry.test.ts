import { describe, expect, it } from 'vitest';
import { clearEntryText, commitmentTo, committedEntryText, parseEntry } from './index.ts';

const at = new Date('2026-11-15T12:00:00.987Z');
const digest = `sha256:${'ab'.repeat(32)}`;
const clear = clearEntryText('payee.activated', at, { domain: 'shop.example', evidence_digest: digest });
const salt = new Uint8Array(16).fill(5);
const committed = committedEntryText('final', at, salt, { b: 1, a: 'x' });

describe('entries of the log', () => {
  it('are RFC 8785 text with the time to the second', () => {
    expect(clear).toBe(
      `{"at":"2026-11-15T12:00:00Z","domain":"shop.example","evidence_digest":"${digest}","type":"payee.activated"}`,
    );
    // SHA-256 over sixteen bytes of 5 and {"a":"x","b":1}, computed by another program.
    expect(committed).toBe(
      '{"at":"2026-11-15T12:00:00Z","commitment":"sha256:c457081a45594cde18f9cd22652590b0a22aca496db327b587d19b518c72b058","type":"final"}',
    );
  });

  it('commit to salt and content', () => {
    expect(commitmentTo(salt, { a: 1 })).not.toBe(commitmentTo(salt, { a: 2 }));
    expect(commitmentTo(salt, { a: 1 })).not.toBe(commitmentTo(new Uint8Array(16), { a: 1 }));
  });

  it('are read back, and only in their one spelling', () => {
    expect(parseEntry(clear)).toMatchObject({ type: 'payee.activated', domain: 'shop.example' });
    expect(parseEntry(committed)).toMatchObject({ type: 'final' });
  });

  it.each([
    ['', 'nothing'],
    ['null', 'no object'],
    [clear.replace(',', ', '), 'a blank'],
    [clear.replace('payee.activated', 'payee.invented'), 'an unknown type'],
    [clear.replace('00Z', '00.987Z'), 'milliseconds'],
    [clear.replace('"type"', '"extra":1,"type"'), 'another member'],
    [committed.replace('final', 'payee.archived'), 'the members of another kind'],
  ])('%s is none: %s', (text) => {
    expect(parseEntry(text)).toBeUndefined();
  });
});
