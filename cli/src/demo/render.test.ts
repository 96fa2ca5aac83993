import { describe, expect, it } from 'vitest';
import type { Entry } from './entries.ts';
import { createRenderer } from './render.ts';
import { inGroups } from './review.ts';

const ADDRESS = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';

function exchangeWith(body: unknown): Entry {
  return {
    type: 'exchange',
    step: 1,
    actor: 'wallet',
    method: 'GET',
    path: '/v1/x',
    request: { headers: { authorization: 'Bearer svc_dt_abcd…' } },
    status: 200,
    answer: { headers: {}, body },
    duration_ms: 5,
  };
}

const review: Entry = {
  type: 'review',
  step: 10,
  payee: 'Blue Door',
  domain: 'bluedoor.example',
  amount: '12.50',
  asset: 'XLM',
  network: 'stellar_testnet',
  address: inGroups(ADDRESS),
  memo: null,
  facts_are_pinned: true,
  expires_at: '2030-01-01T00:00:00.000Z',
  agent: 'Errand runner',
  agent_says: ['Pay 1.00 XLM'],
};

describe('what people read', () => {
  it('has the pinned facts first and the words of the agent apart and marked', () => {
    const lines = createRenderer(false)(review)
      .split('\n')
      .map((line) => line.trim());
    const place = (text: string): number => lines.findIndex((line) => line.includes(text));
    expect(place('Pay 12.50 XLM')).toBe(1);
    expect(lines).toContain('│ GA7Q YNF7 SOWQ 3GLR 2BGM ZEHX AVIR');
    expect(lines).toContain('│ ZA4K VWLT JJFC 7MGX UA74 P7UJ VSGZ');
    const divide = place('├');
    expect(place('✓ controls bluedoor.example')).toBeLessThan(divide);
    expect(place('What Errand runner says (not checked by anyone):')).toBe(divide + 1);
    expect(place('Pay 1.00 XLM')).toBe(divide + 2);
  });

  it('warns when facts are not the pinned ones and when no domain was proved', () => {
    const text = createRenderer(false)({ ...review, facts_are_pinned: false, domain: null } as Entry);
    expect(text).toContain('THESE FACTS ARE NOT THE PINNED ONES');
    expect(text).toContain('no domain has been proved');
  });

  it('carries no escape when it is not to be coloured, whatever an answer contains', () => {
    const hostile = exchangeWith({ note: '\u001B[2J\u009B1m\u202Eevil\u2066' });
    expect(createRenderer(false)(hostile)).not.toMatch(/[\u001B\u009B\u202E\u2066]/);
  });

  it('shows of a record that comes again what has changed', () => {
    const render = createRenderer(false);
    const first = { request_id: 'pr_1', status: 'pending', amount: '1', asset: 'XLM', memo: 'm' };
    expect(render(exchangeWith({ payment_request: first }))).toContain('"memo": "m"');
    const second = render(exchangeWith({ payment_request: { ...first, status: 'signed' } }));
    expect(second).toContain('{ "request_id": "pr_1", "status": "signed", … 3 as before }');
    const other = render(exchangeWith({ payment_request: { ...first, request_id: 'pr_2' } }));
    expect(other).toContain('"memo": "m"');
  });
});
