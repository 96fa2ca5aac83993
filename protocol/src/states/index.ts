import * as connections from './connections.ts';
import * as controlPlane from './control-plane.ts';
import type { Mover, StateMachine, Transition } from './machine.ts';
import * as payments from './payments.ts';

export { defineMachine, MOVERS, type Mover, type StateMachine, type Transition } from './machine.ts';

/** Every state machine of the contract, under the name of its record. */
export const STATE_MACHINES = {
  merchant: controlPlane.merchant,
  domain: controlPlane.domain,
  recipient: controlPlane.recipient,
  recipient_version: controlPlane.recipientVersion,
  agent: controlPlane.agent,
  credential: controlPlane.credential,
  device: connections.device,
  pending_change: connections.pendingChange,
  connect_key: connections.connectKey,
  connect_invitation: connections.connectInvitation,
  pairing_session: connections.pairingSession,
  connection: connections.connection,
  payment_request: payments.paymentRequest,
  webhook_endpoint: controlPlane.webhookEndpoint,
  webhook_delivery: controlPlane.webhookDelivery,
  agent_payment: payments.agentPayment,
  automation_policy: payments.automationPolicy,
  settlement: payments.settlement,
} as const;

export type MachineName = keyof typeof STATE_MACHINES;
export type StateOf<Name extends MachineName> = (typeof STATE_MACHINES)[Name]['states'][number];

export const MACHINE_NAMES = Object.keys(STATE_MACHINES) as readonly MachineName[];

export function canMove<Name extends MachineName>(
  name: Name,
  from: StateOf<Name>,
  to: StateOf<Name>,
  by?: Mover,
): boolean {
  return transitionsOf(name, by).some((move) => move.from === from && move.to === to);
}

/** Without `by`: whatever anyone may do. In the order of the table, each once. */
export function allowedNext<Name extends MachineName>(
  name: Name,
  from: StateOf<Name>,
  by?: Mover,
): StateOf<Name>[] {
  const targets = transitionsOf(name, by).flatMap((move) => (move.from === from ? [move.to] : []));
  return [...new Set(targets)] as StateOf<Name>[];
}

/** The states from which `to` can be reached in one move: what a guarded update compares the status with. */
export function allowedFrom<Name extends MachineName>(
  name: Name,
  to: StateOf<Name>,
  by?: Mover,
): StateOf<Name>[] {
  const sources = new Set<string>(
    transitionsOf(name, by).flatMap((move) => (move.to === to ? [move.from] : [])),
  );
  return statesOf(name).filter((state) => sources.has(state));
}

export function isFinal<Name extends MachineName>(name: Name, state: StateOf<Name>): boolean {
  return allowedNext(name, state).length === 0;
}

/** Mermaid text for the documentation: one arrow per pair of states, labelled with who and when. */
export function drawStateMachine(name: MachineName): string {
  const labels = new Map<string, Map<string, Mover[]>>();
  for (const { from, to, by, when } of transitionsOf(name)) {
    const arrow = `${from} --> ${to}`;
    const reasons = labels.get(arrow) ?? new Map<string, Mover[]>();
    labels.set(arrow, reasons.set(when, [...(reasons.get(when) ?? []), by]));
  }
  const arrows = [...labels].map(([arrow, reasons]) => {
    const texts = [...reasons].map(([when, movers]) => `${movers.join(' or ')}, ${when}`);
    return `  ${arrow} : ${texts.join(' / ')}`;
  });
  const ends = statesOf(name).filter((state) => isFinal(name, state));
  return [
    'stateDiagram-v2',
    `  [*] --> ${machineOf(name).initial}`,
    ...arrows,
    ...ends.map((end) => `  ${end} --> [*]`),
  ]
    .join('\n')
    .concat('\n');
}

function machineOf(name: MachineName): StateMachine {
  return STATE_MACHINES[name];
}

function statesOf<Name extends MachineName>(name: Name): StateOf<Name>[] {
  return [...STATE_MACHINES[name].states];
}

function transitionsOf(name: MachineName, by?: Mover): readonly Transition[] {
  const { transitions } = machineOf(name);
  return by === undefined ? transitions : transitions.filter((move) => move.by === by);
}
