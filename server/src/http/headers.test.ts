import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { askedLanguage } from './headers.ts';

const asking = (...values: string[]) =>
  askedLanguage({
    rawHeaders: values.flatMap((value) => ['Accept-Language', value]),
  } as unknown as IncomingMessage);

describe('the language that a caller prefers', () => {
  it('is the one with the largest weight, over all headers of this name', () => {
    expect(asking('fr', 'en;q=0.4, de-AT;q=0.8')).toBe('de');
    expect(asking('de;q=0', 'en')).toBe('en');
    expect(asking('fr')).toBeUndefined();
    expect(asking()).toBeUndefined();
  });

  it('is read from the beginning of the header only, so that a long one costs no more than a short one', () => {
    expect(asking(`${','.repeat(900)}de`)).toBe('de');
    expect(asking(`${','.repeat(16_000)}de`)).toBeUndefined();
    expect(asking(`en;q=0.1${',x'.repeat(8_000)},de`)).toBe('en');
  });
});
