import { describe, expect, it } from 'vitest';
import type { AddressChecker } from '../src/addresses/checker.ts';

/** Every text that differs from `text` in one position, with each of `replacements` in turn. */
export function* singleCharacterMutations(text: string, replacements: string): Generator<string> {
  for (let index = 0; index < text.length; index += 1) {
    for (const replacement of replacements) {
      if (replacement !== text[index]) yield text.slice(0, index) + replacement + text.slice(index + 1);
    }
  }
}

export interface AddressVectors {
  readonly family: string;
  readonly check: AddressChecker;
  /** Entered text and stored form; a single text is stored as it was entered. */
  readonly valid: readonly (string | readonly [entered: string, stored: string])[];
  /** Entered text and a part of the reason that the person is shown. */
  readonly invalid: readonly (readonly [entered: string, reason: RegExp])[];
  /** Replacement characters for the mutation test; leave out where the format has no checksum. */
  readonly mutateWith?: string;
}

/** The tests that every address family passes: public vectors, reasons in sentences, and mutations. */
export function describeAddressFamily(vectors: AddressVectors): void {
  const valid = vectors.valid.map((entry) => (typeof entry === 'string' ? ([entry, entry] as const) : entry));
  describe(vectors.family, () => {
    it.each(valid)('accepts %s', (entered, stored) => {
      expect(vectors.check(entered)).toEqual({ ok: true, address: stored });
      expect(vectors.check(stored), 'the stored form is accepted as it is').toEqual({
        ok: true,
        address: stored,
      });
    });

    it.each(vectors.invalid)('refuses %j with the reason', (entered, reason) => {
      const check = vectors.check(entered);
      expect(check).toMatchObject({ ok: false, reason: expect.stringMatching(reason) });
      if (!check.ok) expect(check.reason).toMatch(/^[A-Z].*[.:a-z0-9]$/s);
    });

    if (vectors.mutateWith === undefined) return;
    const replacements = vectors.mutateWith;
    it('refuses every single-character mutation of every valid address', () => {
      for (const [entered] of valid) {
        for (const mutation of singleCharacterMutations(entered, replacements)) {
          expect(vectors.check(mutation).ok, mutation).toBe(false);
        }
      }
    });
  });
}
