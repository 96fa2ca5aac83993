import { PassThrough } from 'node:stream';
import type { Danger } from '@payassent/protocol';
import { describe, expect, it } from 'vitest';
import type { Io } from '../command.ts';
import { createPaint } from '../output.ts';
import { type Checked, dangerText } from './danger.ts';
import { createDecider } from './decider.ts';
import { guardsOf, memoLabel, payeeLines, questionOf, skippedText } from './review.ts';

const MOVED: Danger = { danger: 'address', before: 'GA' };
const SAFE: Checked = { dangers: [], isMissing: false };
const DANGEROUS: Checked = { dangers: [MOVED, { danger: 'amount', highest: '2.5' }], isMissing: false };
const UNCHECKED: Checked = { dangers: [], isMissing: true };
const PAYEE = { name: 'Harbour', verified: true, domain: 'harbour.example' };
const PAYMENT = { network: 'stellar_testnet', decimals: 7, amount: '13' } as const;

function terminal(input: string) {
  const stdin = new PassThrough();
  stdin.end(input);
  const stderr = new PassThrough();
  const io = { stdin, stderr, signal: new AbortController().signal } as unknown as Io;
  return { decider: createDecider(io), said: () => String(stderr.read() ?? '') };
}

const decide = (input: string, manner: 'ask' | 'approve', checked: Checked, approvesDangerous = false) => {
  const { decider, said } = terminal(input);
  const guards = guardsOf({ manner, approvesDangerous }, PAYMENT, PAYEE, checked);
  return decider.decide(manner, 'Pay 13 XLM?', guards).then((choice) => ({ choice, said: said() }));
};

describe('a dangerous payment in the terminal wallet', () => {
  it('is approved only by a second act: its amount is typed', async () => {
    expect(await decide('a\n13\n', 'ask', DANGEROUS)).toMatchObject({
      choice: 'approve',
      said: expect.stringContaining('Type its amount (13) to pay it'),
    });
    expect(await decide('a\na\n', 'ask', DANGEROUS)).toMatchObject({ choice: 'skip' });
    expect(await decide('a\n31\nr\n', 'ask', DANGEROUS)).toMatchObject({ choice: 'reject' });
    expect(await decide('a\n', 'ask', SAFE)).toMatchObject({ choice: 'approve' });
  });

  it('is never approved without a person, unless the option allows it', async () => {
    expect(await decide('', 'approve', SAFE)).toMatchObject({ choice: 'approve' });
    for (const checked of [DANGEROUS, UNCHECKED]) {
      expect(await decide('', 'approve', checked)).toMatchObject({ choice: 'skip' });
      expect(await decide('', 'approve', checked, true)).toMatchObject({ choice: 'approve' });
      expect(skippedText({ manner: 'approve' }, checked)).toContain('--approve-dangerous');
    }
  });

  it('leaves the decision to the person, with a warning, when earlier payments could not be read', async () => {
    expect(await decide('a\n', 'ask', UNCHECKED)).toMatchObject({ choice: 'approve' });
    const [text] = dangerText(UNCHECKED, createPaint({ isColoured: false, columns: 120 }));
    expect(text).toContain('earlier payments could not be read');
  });

  it('names what changed, in red', () => {
    const [text] = dangerText(DANGEROUS, createPaint({ isColoured: true, columns: 120 }));
    expect(text).toContain('\u001B[31manother address than the last payment to this payee had; it was GA');
    expect(text).toContain('far above what this payee was paid before: 2.5 at most');
  });
});

describe('what the terminal wallet draws', () => {
  it('is no verified domain in another spelling, and nothing is approved under one', () => {
    const paint = createPaint({ isColoured: false, columns: 120 });
    const sim = { manner: 'ask', approvesDangerous: false } as const;
    const drawn = (domain: string) => {
      const payee = { ...PAYEE, domain };
      const paid = { amount: '13', asset: 'XLM', to: 'GA' };
      const { canApprove } = guardsOf(sim, PAYMENT, payee, SAFE);
      return { line: payeeLines(payee, paint)[0]?.[1], question: questionOf(paid, payee), canApprove };
    };
    expect(drawn('harbour.example')).toEqual({
      line: 'Harbour, verified: harbour.example',
      question: 'Pay 13 XLM to Harbour (harbour.example)?',
      canApprove: true,
    });
    for (const domain of ['Harbour.example', 'harbour.example.', 'b\u00fccher.example'])
      expect(drawn(domain)).toEqual({
        line: expect.stringContaining('Harbour, not verified: '),
        question: 'Pay 13 XLM to Harbour (NOT verified)?',
        canApprove: false,
      });
  });

  it('marks a memo that is a hash', () => {
    expect([memoLabel({ memo_type: 'hash' }), memoLabel({})]).toEqual(['Memo (hash)', 'Memo']);
  });
});
