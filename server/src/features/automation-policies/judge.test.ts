import { addDecimals, compareDecimals, fromBaseUnits } from '@payassent/protocol';
import { describe, expect, it } from 'vitest';
import { type JudgedIntent, type JudgedPolicy, judgeIntent } from './judge.ts';

const NOON = new Date('2026-06-01T12:00:00.000Z');
const HOUR = 3_600_000;
const UNIT = '0.0000001';

const policy: JudgedPolicy = {
  status: 'active',
  single_tx_limit: '10.00',
  cumulative_limit: '25',
  valid_from: new Date(NOON.getTime() - HOUR),
  valid_until: new Date(NOON.getTime() + HOUR),
  allowlist: [{ recipient_id: 'rcp_a', recipient_version_id: 'rcv_a1' }, { address: 'GADDRESS' }],
  spent: '0',
  reserved: '0',
};
const intent: JudgedIntent = {
  amount: '1',
  to: 'GSHOP',
  memo: null,
  recipientId: 'rcp_a',
  recipientVersionId: 'rcv_a1',
};

function judge(changes: Partial<JudgedPolicy> = {}, asked: Partial<JudgedIntent> = {}, now = NOON) {
  return judgeIntent({ ...policy, ...changes }, { ...intent, ...asked }, now);
}

describe('equality passes and one base unit more does not', () => {
  it('single transaction', () => {
    expect(judge({}, { amount: '10' }).triggered).toEqual([]);
    expect(judge({}, { amount: '10.0000000' }).triggered).toEqual([]);
    expect(judge({}, { amount: `10.${'0'.repeat(6)}1` }).triggered).toEqual(['single_tx_limit']);
  });

  it('cumulative', () => {
    const used = { spent: '15.5', reserved: '4.5' };
    expect(judge(used, { amount: '5' }).triggered).toEqual([]);
    expect(judge(used, { amount: addDecimals('5', UNIT) }).triggered).toEqual(['cumulative_limit']);
  });

  it('0.1 and 0.2 are 0.3, and not a little more', () => {
    const used = { cumulative_limit: '0.3', spent: '0.1' };
    expect(judge(used, { amount: '0.2' }).verdict).toBe('allow');
    expect(judge({ ...used, reserved: UNIT }, { amount: '0.2' }).triggered).toEqual(['cumulative_limit']);
  });

  it('the window, to the millisecond', () => {
    const at = (time: Date | null, shiftMs: number) => new Date((time?.getTime() ?? 0) + shiftMs);
    expect(judge({}, {}, at(policy.valid_from, 0)).triggered).toEqual([]);
    expect(judge({}, {}, at(policy.valid_from, -1)).triggered).toEqual(['validity_window']);
    expect(judge({}, {}, at(policy.valid_until, -1)).triggered).toEqual([]);
    expect(judge({}, {}, at(policy.valid_until, 0)).triggered).toEqual(['validity_window']);
  });

  it('amounts beyond the precision of a double', () => {
    const long = `1${'0'.repeat(300)}`;
    const limits = { single_tx_limit: long, cumulative_limit: long };
    expect(judge(limits, { amount: long }).verdict).toBe('allow');
    expect(judge(limits, { amount: `${long}.0000001` }).triggered).toEqual([
      'single_tx_limit',
      'cumulative_limit',
    ]);
  });
});

describe('the allowlist', () => {
  it('covers a Recipient in the accepted version and in no other', () => {
    expect(judge({}, { recipientVersionId: 'rcv_a2' }).triggered).toEqual(['allowlist']);
  });

  it('covers a Recipient only when the intent names it, not whatever goes to its address', () => {
    expect(judge({}, { recipientId: null, recipientVersionId: null }).triggered).toEqual(['allowlist']);
    expect(judge({}, { recipientId: 'rcp_b', recipientVersionId: 'rcv_b1' }).triggered).toEqual([
      'allowlist',
    ]);
    expect(judge({}, { recipientId: 'rcp_b' }).triggered).toEqual(['allowlist']);
  });

  it('covers an address no matter whom it belongs to, with its own memo and no other', () => {
    const bare = { recipientId: null, recipientVersionId: null, to: 'GADDRESS' };
    const named = { recipientId: 'rcp_b', recipientVersionId: 'b', to: 'GADDRESS' };
    const noted = { allowlist: [{ address: 'GADDRESS', memo: 'SHOP-1' }] };
    for (const asked of [bare, named]) {
      expect(judge({}, asked).triggered).toEqual([]);
      expect(judge({}, { ...asked, memo: 'SHOP-1' }).triggered).toEqual(['allowlist']);
      expect(judge(noted, { ...asked, memo: 'SHOP-1' }).triggered).toEqual([]);
      for (const memo of [null, '', 'shop-1', 'SHOP-11'])
        expect(judge(noted, { ...asked, memo }).triggered).toEqual(['allowlist']);
    }
  });

  it('covers no one while it is empty, absent or not accepted', () => {
    for (const allowlist of [[], null, [{ recipient_id: 'rcp_a' }]])
      expect(judge({ allowlist }).triggered).toEqual(['allowlist']);
  });
});

describe('a rejection by a policy', () => {
  it('names all four in order when all four are exceeded', () => {
    const late = new Date(NOON.getTime() + 2 * HOUR);
    const judged = judge({ reserved: '20' }, { amount: '11', to: 'GX', recipientId: 'rcp_x' }, late);
    expect(judged).toEqual({
      verdict: 'hitl_required',
      triggered: ['single_tx_limit', 'cumulative_limit', 'validity_window', 'allowlist'],
      remaining: '5',
      maxAmountAllowed: '0',
    });
  });

  it.each(['draft', 'paused', 'revoked'] as const)('a %s policy gives no reason', (status) => {
    expect(judge({ status })).toEqual({
      verdict: 'hitl_required',
      triggered: ['no_active_policy'],
      remaining: null,
      maxAmountAllowed: '0',
    });
    expect(judgeIntent(undefined, intent, NOON).triggered).toEqual(['no_active_policy']);
  });

  it('an expired policy gives its ended window as the reason', () => {
    const later = new Date(NOON.getTime() + 2 * HOUR);
    expect(judge({ status: 'expired' }, {}, later).triggered).toEqual(['validity_window']);
  });

  it('what is left is never negative and carries no trailing zeros', () => {
    expect(judge({ spent: '30' }).remaining).toBe('0');
    expect(judge({ spent: '30' }).maxAmountAllowed).toBe('0');
    expect(judge({ spent: '1.50', reserved: '2.50' }).remaining).toBe('21');
    expect(judge().maxAmountAllowed).toBe('10');
  });
});

describe('the largest amount that would pass', () => {
  it('passes, and one base unit more does not, whatever the policy', () => {
    let seed = 12_345;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    const amount = (below: number) => fromBaseUnits(BigInt(random(below) + 1), 7);
    let allowed = 0;
    for (let round = 0; round < 2000; round += 1) {
      const changes = {
        single_tx_limit: amount(100_000),
        cumulative_limit: amount(300_000),
        spent: random(3) === 0 ? '0' : amount(150_000),
        reserved: random(3) === 0 ? '0' : amount(150_000),
      };
      const asked = amount(120_000);
      const judged = judge(changes, { amount: asked });
      const most = judged.maxAmountAllowed;
      expect(judged.verdict === 'allow').toBe(compareDecimals(asked, most) <= 0);
      if (most === '0') continue;
      allowed += 1;
      expect(judge(changes, { amount: most }).verdict).toBe('allow');
      expect(judge(changes, { amount: addDecimals(most, UNIT) }).verdict).toBe('hitl_required');
    }
    expect(allowed).toBeGreaterThan(200);
  });
});
