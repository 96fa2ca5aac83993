import { describe, expect, it } from 'vitest';
import { call, madeUp, version, violationsOf } from './made-up.ts';

const DOMAIN = {
  domain_id: 'dom_1',
  merchant_id: 'mer_1',
  domain: 'shop.example',
  status: 'verified',
  deleted_at: null,
};
const GONE = { ...DOMAIN, deleted_at: '2026-01-02' };
const LAPSED = { ...DOMAIN, status: 'lapsed' };
const WINNER = { ...DOMAIN, domain_id: 'dom_2', merchant_id: 'mer_2' };
const EVIDENCE = [{ evidence_id: 'evd_1', source_id: 'dom_1' }];
const fallen = version({ suspended_at: '2026-01-02' });

const read = (at: number, verified: boolean, status = 'pending', list = false) => {
  const payee = { domain: 'shop.example', verified, recipient_version_id: 'rcv_1' };
  const record = { status, payee };
  const body = list ? { payment_requests: [record] } : { payment_request: record };
  return call({ at, method: 'GET', path: '/v1/payment-requests', status: 200, body });
};
const remove = call({ at: 100, method: 'DELETE', path: '/v1/merchant-domains/dom_1', status: 200, body: {} });
const proof = call({ at: 100, path: '/v1/merchant-domains/dom_2/verify', status: 200, body: {} });

const look = (
  attempts: ReturnType<typeof call>[],
  domains: (typeof DOMAIN | typeof GONE)[],
  versions = [fallen],
) =>
  violationsOf(
    'no payee is shown verified under a domain that is not',
    madeUp({ attempts, tables: { domains, recipient_evidence: EVIDENCE, recipient_versions: versions } }),
  ).length;

describe('no payee is shown verified under a domain that is not', () => {
  it('holds before the loss, while it is under way, and for what was decided', () => {
    expect(look([remove, read(50, true), read(105, true)], [GONE])).toBe(0);
    expect(look([remove, read(200, false), read(200, true, 'signed')], [GONE])).toBe(0);
  });

  it('finds an open request that is still verified after a delete, alone and in a list', () => {
    expect(look([remove, read(200, true)], [GONE])).toBe(1);
    expect(look([remove, read(200, true, 'pending', true)], [GONE])).toBe(1);
  });

  it('finds it after another merchant’s proof, and leaves the winner alone', () => {
    expect(look([proof, read(200, true)], [LAPSED, WINNER])).toBe(1);
    expect(
      look([proof, read(200, true)], [LAPSED, WINNER], [version({ ...fallen, merchant_id: 'mer_2' })]),
    ).toBe(0);
  });

  it('finds a payee version that depends on a domain which is no longer verified', () => {
    expect(look([], [DOMAIN], [version()])).toBe(0);
    expect(look([], [GONE], [version()])).toBe(1);
    expect(look([], [LAPSED], [version()])).toBe(1);
    expect(look([], [LAPSED], [fallen])).toBe(0);
  });
});
