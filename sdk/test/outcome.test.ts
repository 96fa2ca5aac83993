import { AGENT_PAYMENT_STATUSES, PAYMENT_REQUEST_STATUSES } from '@payassent/protocol';
import { type Outcome, outcome, type PaymentRequest, type Standing, standing } from '@payassent/sdk';
import { describe, expect, it } from 'vitest';

const NOW = Date.parse('2026-11-15T12:00:00Z');
const ago = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString();

function request(status: string, reason: string | null = null, ended = -60, updated = 5): PaymentRequest {
  return { status, reason, expires_at: ago(ended), updated_at: ago(updated) } as unknown as PaymentRequest;
}

describe('the outcome of a payment', () => {
  it.each<[string, PaymentRequest, Standing, Outcome]>([
    ['nobody has decided', request('pending'), 'waiting_for_person', 'waiting'],
    ['the wallet has signed', request('signed'), 'approved_not_yet_paid', 'waiting'],
    ['the wallet has sent it', request('broadcasted', null, 9), 'approved_not_yet_paid', 'waiting'],
    ['the wallet said something lately', request('signed', null, 60, 9), 'approved_not_yet_paid', 'waiting'],
    ['the wallet says that it is final', request('confirmed'), 'paid', 'paid'],
    ['the person said no', request('rejected', 'not_mine'), 'rejected_by_person', 'not_paid'],
    [
      'the merchant recalled the payee',
      request('rejected', 'payee_recalled'),
      'withdrawn_by_merchant',
      'not_paid',
    ],
    [
      'the connection was revoked',
      request('rejected', 'connection_revoked'),
      'connection_revoked',
      'not_paid',
    ],
    ['its time is over', request('expired', null, 1), 'expired_without_decision', 'not_paid'],
    ['the agent took it back', request('expired', 'withdrawn_by_agent'), 'withdrawn', 'not_paid'],
    ['another request replaced it', request('expired', 'superseded'), 'withdrawn', 'not_paid'],
    ['an agent payment was cancelled', request('cancelled'), 'withdrawn', 'not_paid'],
    ['the wallet says that nothing was paid', request('failed'), 'failed', 'not_paid'],
    ['signed, then silence', request('signed', null, 11, 11), 'outcome_unknown', 'unknown'],
    ['sent, then silence', request('broadcasted', null, 11, 60), 'outcome_unknown', 'unknown'],
    ['a status of a newer service', request('teleported'), 'outcome_unknown', 'unknown'],
    ['a name that every object has', request('constructor'), 'outcome_unknown', 'unknown'],
  ])('has a distinct word when %s', (_, payment, expectedStanding, expectedOutcome) => {
    expect([standing(payment, NOW), outcome(payment, NOW)]).toEqual([expectedStanding, expectedOutcome]);
  });

  it('is never unknown for a status of the contract that is not signed or sent', () => {
    for (const status of [...PAYMENT_REQUEST_STATUSES, ...AGENT_PAYMENT_STATUSES])
      expect(outcome(request(status, null, 600, 600), NOW) === 'unknown').toBe(
        status === 'signed' || status === 'broadcasted',
      );
  });

  it('distinguishes every end by type: a switch over the words is exhaustive', () => {
    const sentence = (word: Standing): string => {
      switch (word) {
        case 'waiting_for_person':
        case 'approved_not_yet_paid':
          return 'not yet';
        case 'paid':
          return 'yes';
        case 'rejected_by_person':
        case 'withdrawn_by_merchant':
        case 'connection_revoked':
        case 'expired_without_decision':
        case 'withdrawn':
        case 'failed':
          return 'no';
        case 'outcome_unknown':
          return 'look at the chain';
      }
    };
    expect(sentence(standing(request('failed'), NOW))).toBe('no');
  });

  it('is computed from the request, not from the response around it', () => {
    const answer = { payment_request: request('confirmed') } as unknown as PaymentRequest;
    expect(() => outcome(answer)).toThrow(
      'Pass the payment request itself, for example response.payment_request',
    );
  });
});
