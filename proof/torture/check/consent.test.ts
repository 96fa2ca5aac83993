import { describe, expect, it } from 'vitest';
import { call, madeUp, payment, policy, violationsOf } from './made-up.ts';

const PATH = '/v1/automation-policies/pol_1';
const pinned = (version: string) => ({ recipient_id: 'rcp_1', recipient_version_id: version });

/** The policy in a response. */
const shows = (version: number, pin: string, more: object = {}) => ({
  status: 200,
  body: { data: { id: 'pol_1', version, status: 'active', allowed_payees: [pinned(pin)], ...more } },
});
const read = (...parts: Parameters<typeof shows>) => call({ method: 'GET', path: PATH, ...shows(...parts) });
const optIn = (sent: number, answer: object = {}) =>
  call({ path: `${PATH}/opt-in`, sent: { version: sent }, ...answer });
const look = (attempts: ReturnType<typeof call>[], tables: Parameters<typeof madeUp>[0] = {}) =>
  violationsOf('accepted payees are those that were read', madeUp({ attempts, ...tables })).length;

describe('accepted payees are those that were read', () => {
  it('holds for what was shown, and finds an opt-in that pinned something else', () => {
    const draft = { status: 'draft' };
    expect(look([read(1, 'rcv_1', draft), optIn(1, shows(2, 'rcv_1'))])).toBe(0);
    expect(look([read(1, 'rcv_1', draft), optIn(1, shows(2, 'rcv_2'))])).toBe(1);
  });

  it('knows what was proposed, and finds a change by the wallet that pinned more', () => {
    const proposal = { proposed_payees: [pinned('rcv_2')] };
    expect(look([read(3, 'rcv_1', proposal), optIn(3, shows(4, 'rcv_2'))])).toBe(0);
    const change = (pin: string) =>
      call({ method: 'PATCH', path: PATH, sent: { version: 3 }, ...shows(4, pin) });
    expect(look([read(3, 'rcv_1', proposal), change('rcv_3')])).toBe(1);
    expect(look([read(3, 'rcv_1'), change('rcv_2')])).toBe(1);
  });

  it('finds a version that shows another payee than before', () => {
    expect(look([read(1, 'rcv_1'), read(1, 'rcv_1'), read(1, 'rcv_2')])).toBe(1);
  });

  it('finds what is in force, or was paid, although no one had read it; the response may be lost', () => {
    const attempts = [read(1, 'rcv_1'), optIn(1)];
    const rows = (pin: string, parts: Parameters<typeof payment>[0] = {}) => ({
      tables: {
        automation_policies: [policy({ allowlist: [pinned(pin), { address: 'G2' }] })],
        agent_payments: [payment(parts)],
      },
    });
    expect(look(attempts, rows('rcv_1'))).toBe(0);
    expect(look(attempts, rows('rcv_2'))).toBe(1);
    expect(look(attempts, rows('rcv_1', { recipient_version_id: 'rcv_2' }))).toBe(1);
    expect(look(attempts, rows('rcv_1', { recipient_version_id: 'rcv_2', to_address: 'G2' }))).toBe(0);
  });
});
