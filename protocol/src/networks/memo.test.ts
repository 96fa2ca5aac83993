import { describe, expect, it } from 'vitest';
import { checkMemo, describeMemo, MEMO_RULES, NO_MEMO } from './memo.ts';

describe('memos', () => {
  it('measures Stellar text in bytes of UTF-8, not in characters', () => {
    expect(checkMemo(MEMO_RULES.stellar, 'a'.repeat(28), 'Stellar')).toBeUndefined();
    expect(checkMemo(MEMO_RULES.stellar, 'a'.repeat(29), 'Stellar')).toMatchObject({ code: 'too_long' });
    expect(checkMemo(MEMO_RULES.stellar, 'é'.repeat(14), 'Stellar')).toBeUndefined();
    expect(checkMemo(MEMO_RULES.stellar, 'é'.repeat(15), 'Stellar')).toMatchObject({ code: 'too_long' });
    expect(checkMemo(MEMO_RULES.stellar, '🙂'.repeat(8), 'Stellar')).toMatchObject({ code: 'too_long' });
  });

  it('takes an XRP Ledger destination tag only as an unsigned number of 32 bits', () => {
    for (const tag of ['0', '1', '13371337', '4294967295']) {
      expect(checkMemo(MEMO_RULES.xrpl, tag, 'XRP Ledger'), tag).toBeUndefined();
    }
    for (const tag of [
      '4294967296',
      '-1',
      '01',
      '1.0',
      '1e3',
      ' 1',
      '+1',
      '0x1',
      '１',
      'abc',
      '9'.repeat(400),
    ]) {
      expect(checkMemo(MEMO_RULES.xrpl, tag, 'XRP Ledger'), tag).toMatchObject({ code: 'invalid_format' });
    }
  });

  it('takes an ICP memo up to the largest number of 64 bits', () => {
    expect(checkMemo(MEMO_RULES.internetComputer, '18446744073709551615', 'ICP')).toBeUndefined();
    expect(checkMemo(MEMO_RULES.internetComputer, '18446744073709551616', 'ICP')).toMatchObject({
      code: 'invalid_format',
    });
  });

  it('refuses a memo where the network has none, with that reason', () => {
    expect(checkMemo(NO_MEMO, 'INV-7', 'Ethereum')).toEqual({
      code: 'invalid_format',
      message: 'Payments on Ethereum carry no memo; leave it out.',
    });
  });

  it('refuses an empty memo, which could be mistaken for a missing one', () => {
    expect(checkMemo(MEMO_RULES.stellar, '', 'Stellar')).toMatchObject({ code: 'too_short' });
  });

  it('describes each rule in a few words', () => {
    expect(describeMemo(MEMO_RULES.hedera)).toBe('memo, at most 100 bytes');
    expect(describeMemo(MEMO_RULES.xrpl)).toBe('destination tag, number of 32 bits');
    expect(describeMemo(NO_MEMO)).toBe('none');
  });
});
