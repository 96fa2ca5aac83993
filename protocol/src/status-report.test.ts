import { describe, expect, it } from 'vitest';
import { AGENT_PAYMENT_STATUSES, type AgentPaymentStatus } from './enumerations.ts';
import { judgeReport, type ReportedState, type WalletReport } from './status-report.ts';

const PHONE = 'dev_phone';
const TABLET = 'dev_tablet';

function state(
  status: AgentPaymentStatus,
  rest: Partial<ReportedState<AgentPaymentStatus>> = {},
): ReportedState<AgentPaymentStatus> {
  return { status, tx_hash: null, decided_by_device_id: null, is_overdue: false, ...rest };
}

const ownState = (status: AgentPaymentStatus) => state(status, { decided_by_device_id: PHONE });

function judge(
  from: ReportedState<AgentPaymentStatus>,
  status: AgentPaymentStatus,
  rest: Partial<WalletReport<AgentPaymentStatus>> = {},
) {
  return judgeReport('agent_payment', from, { status, device_id: PHONE, ...rest });
}

describe('what a report moves', () => {
  it('follows the drawn machine and nothing else', () => {
    const moves = AGENT_PAYMENT_STATUSES.flatMap((from) =>
      AGENT_PAYMENT_STATUSES.filter((to) => judge(ownState(from), to).kind === 'move').map(
        (to) => `${from} ${to}`,
      ),
    );
    expect(moves).toEqual([
      'intent_created signed',
      'intent_created rejected',
      'intent_created failed',
      'signed broadcasted',
      'signed failed',
      'broadcasted confirmed',
      'broadcasted failed',
    ]);
  });

  it.each(['intent_created', 'cancelled'] as const)('%s is never a wallet’s to report', (to) => {
    for (const from of AGENT_PAYMENT_STATUSES) {
      const verdict = judge(state(from, { decided_by_device_id: PHONE }), to);
      expect(verdict).toMatchObject({ kind: 'refuse', code: 'invalid_status_transition' });
    }
  });

  it('what is overdue is expired before anything is judged', () => {
    const overdue = state('intent_created', { is_overdue: true });
    for (const to of AGENT_PAYMENT_STATUSES) expect(judge(overdue, to)).toEqual({ kind: 'settle_first' });
  });

  it('names what would be possible instead', () => {
    expect(judge(state('intent_created'), 'confirmed')).toEqual({
      kind: 'refuse',
      code: 'invalid_status_transition',
      allowed: ['signed', 'rejected', 'failed'],
    });
    expect(judge(state('confirmed'), 'failed')).toMatchObject({ allowed: [] });
  });
});

describe('after signed', () => {
  const signed = ownState('signed');

  it('another device reports on only by a stated takeover', () => {
    for (const to of ['broadcasted', 'failed'] as const) {
      expect(judge(signed, to)).toEqual({ kind: 'move', is_takeover: false });
      expect(judge(signed, to, { device_id: TABLET })).toEqual({
        kind: 'refuse',
        code: 'status_conflict',
        because: 'signed_elsewhere',
      });
      expect(judge(signed, to, { device_id: TABLET, takeover: true })).toEqual({
        kind: 'move',
        is_takeover: true,
      });
    }
  });

  it('a takeover that takes nothing over is none, and never turns a repeat into a success', () => {
    expect(judge(signed, 'broadcasted', { takeover: true })).toEqual({ kind: 'move', is_takeover: false });
    expect(judge(state('intent_created'), 'signed', { takeover: true })).toEqual({
      kind: 'move',
      is_takeover: false,
    });
    expect(judge(signed, 'signed', { device_id: TABLET, takeover: true })).toMatchObject({
      code: 'status_conflict',
      because: 'device',
    });
  });
});

describe('what repeats', () => {
  const signed = state('signed', { decided_by_device_id: PHONE });

  it('is quiet for the deciding device and a conflict for any other', () => {
    expect(judge(signed, 'signed')).toEqual({ kind: 'repeat', adds_tx_hash: false });
    expect(judge(signed, 'signed', { device_id: TABLET })).toMatchObject({
      code: 'status_conflict',
      because: 'device',
    });
  });

  it('is a conflict when the service itself decided', () => {
    expect(judge(state('rejected'), 'rejected')).toMatchObject({ code: 'status_conflict' });
  });

  it('may bring the first hash, and never another one', () => {
    expect(judge(signed, 'signed', { tx_hash: 'a' })).toEqual({ kind: 'repeat', adds_tx_hash: true });
    const hashed = { ...signed, tx_hash: 'a' };
    expect(judge(hashed, 'signed', { tx_hash: 'a' })).toEqual({ kind: 'repeat', adds_tx_hash: false });
    for (const to of ['signed', 'broadcasted', 'rejected'] as const)
      expect(judge(hashed, to, { tx_hash: 'b' })).toMatchObject({
        code: 'status_conflict',
        because: 'tx_hash',
      });
  });

  it('of the expiry succeeds for everybody', () => {
    expect(judge(state('expired'), 'expired', { device_id: TABLET })).toEqual({
      kind: 'repeat',
      adds_tx_hash: false,
    });
  });
});

describe('after the expiry', () => {
  it.each(['signed', 'rejected', 'failed'] as const)('%s came too late', (to) => {
    expect(judge(state('expired'), to)).toEqual({ kind: 'refuse', code: 'payment_request_expired' });
  });

  it.each(['broadcasted', 'confirmed'] as const)('%s was never possible', (to) => {
    expect(judge(state('expired'), to)).toMatchObject({ code: 'invalid_status_transition' });
  });
});
