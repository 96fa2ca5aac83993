import { describe, expect, it } from 'vitest';
import * as states from './index.ts';
import {
  allowedFrom,
  allowedNext,
  canMove,
  drawStateMachine,
  isFinal,
  MACHINE_NAMES,
  STATE_MACHINES,
  type StateMachine,
} from './index.ts';

const machines = MACHINE_NAMES.map((name): [states.MachineName, StateMachine] => [
  name,
  STATE_MACHINES[name],
]);

describe.each(machines)('state machine of %s', (name, machine) => {
  it('reaches every state from the first one', () => {
    const reached = new Set([machine.initial]);
    for (let before = 0; before < reached.size; ) {
      before = reached.size;
      for (const move of machine.transitions) if (reached.has(move.from)) reached.add(move.to);
    }
    expect([...reached].toSorted()).toEqual([...machine.states].toSorted());
  });

  it('has no move onto itself, no move twice, and no unknown state', () => {
    const keys = machine.transitions.map((move) => `${move.from} ${move.to} ${move.by}`);
    expect(new Set(keys).size).toBe(keys.length);
    for (const move of machine.transitions) {
      expect(move.from).not.toBe(move.to);
      expect(machine.states).toContain(move.from);
      expect(machine.states).toContain(move.to);
      expect(states.MOVERS).toContain(move.by);
    }
  });

  it('is drawn with every state and every pair exactly once', () => {
    const lines = drawStateMachine(name).trimEnd().split('\n');
    expect(lines[0]).toBe('stateDiagram-v2');
    expect(lines[1]).toBe(`  [*] --> ${machine.initial}`);
    const pairs = new Set(machine.transitions.map((move) => `${move.from} --> ${move.to}`));
    const drawn = lines.slice(2).filter((line) => line.includes(' : '));
    expect(drawn.map((line) => line.trim().split(' : ')[0]).toSorted()).toEqual([...pairs].toSorted());
    for (const line of drawn) expect(line).toMatch(/^ {2}[a-z_]+ --> [a-z_]+ : [^:;{}[\]]+$/);
    for (const state of machine.states) expect(drawStateMachine(name)).toContain(state);
  });
});

describe('transitions that the contract fixes', () => {
  it('payment requests move as in the table of section 7', () => {
    expect(allowedNext('payment_request', 'pending', 'wallet')).toEqual([
      'signed',
      'rejected',
      'failed',
      'expired',
    ]);
    expect(allowedNext('payment_request', 'pending', 'clock')).toEqual(['expired']);
    expect(allowedNext('payment_request', 'pending', 'system')).toEqual(['rejected']);
    expect(allowedNext('payment_request', 'signed')).toEqual(['broadcasted', 'failed']);
    expect(allowedNext('payment_request', 'broadcasted')).toEqual(['confirmed', 'failed']);
    for (const end of ['confirmed', 'failed', 'expired', 'rejected'] as const)
      expect(isFinal('payment_request', end)).toBe(true);
    for (const from of STATE_MACHINES.payment_request.states)
      expect(canMove('payment_request', from, 'pending')).toBe(false);
    expect(allowedFrom('payment_request', 'failed', 'wallet')).toEqual(['pending', 'signed', 'broadcasted']);
  });

  it('only what awaits a decision expires by the clock', () => {
    expect(allowedFrom('payment_request', 'expired')).toEqual(['pending']);
    expect(allowedFrom('agent_payment', 'expired')).toEqual(['intent_created']);
  });

  it('agent payments are cancelled by agent or merchant, and only as intents', () => {
    expect(allowedFrom('agent_payment', 'cancelled')).toEqual(['intent_created']);
    expect(canMove('agent_payment', 'intent_created', 'cancelled', 'agent')).toBe(true);
    expect(canMove('agent_payment', 'intent_created', 'cancelled', 'wallet')).toBe(false);
  });

  it('only a wallet makes a policy active', () => {
    for (const mover of states.MOVERS) {
      expect(allowedFrom('automation_policy', 'active', mover)).toEqual(
        mover === 'wallet' ? ['draft', 'paused'] : [],
      );
    }
  });

  it('only a merchant moves an agent, and revoked is final', () => {
    expect(allowedNext('agent', 'pending')).toEqual(['active', 'revoked']);
    expect(allowedNext('agent', 'active', 'merchant')).toEqual(['suspended', 'revoked']);
    expect(allowedNext('agent', 'suspended')).toEqual(['active', 'revoked']);
    expect(isFinal('agent', 'revoked')).toBe(true);
    expect(allowedNext('agent', 'active', 'agent')).toEqual([]);
  });

  it('a merchant may revoke a connection but neither pause nor resume it', () => {
    expect(allowedNext('connection', 'active', 'merchant')).toEqual(['revoked']);
    expect(allowedNext('connection', 'paused', 'wallet')).toEqual(['active', 'revoked']);
    expect(isFinal('connection', 'revoked')).toBe(true);
  });

  it('an approved invitation may still be rejected, an approved pairing may not', () => {
    expect(allowedNext('connect_invitation', 'approved', 'wallet')).toEqual(['rejected']);
    expect(allowedNext('pairing_session', 'approved')).toEqual(['completed']);
  });

  it('the diagram of a connection is stable', () => {
    expect(drawStateMachine('connection')).toBe(
      [
        'stateDiagram-v2',
        '  [*] --> active',
        '  active --> paused : wallet, paused',
        '  paused --> active : wallet, resumed',
        '  active --> revoked : wallet or merchant, revoked / system, agent revoked, or last device deleted',
        '  paused --> revoked : wallet or merchant, revoked / system, agent revoked, or last device deleted',
        '  revoked --> [*]',
        '',
      ].join('\n'),
    );
  });
});
