/**
 * Who moves a record: the merchant's operators, the agent, the customer's wallet, the clock, the service itself as the
 * consequence of another act, or what it reads from a chain. Events call the clock and the service `system`.
 */
export const MOVERS = ['merchant', 'agent', 'wallet', 'clock', 'system', 'observer'] as const;
export type Mover = (typeof MOVERS)[number];

export interface Transition<State extends string = string> {
  readonly from: State;
  readonly to: State;
  readonly by: Mover;
  /** What happens, in the words of the published diagram. */
  readonly when: string;
}

export interface StateMachine<State extends string = string> {
  readonly states: readonly State[];
  readonly initial: State;
  readonly transitions: readonly Transition<State>[];
}

type Row<State extends string> = readonly [
  from: State,
  to: State,
  by: Mover | readonly Mover[],
  when: string,
];

/** Tables are written as rows; a row with several movers represents one transition for each. */
export function defineMachine<const State extends string>(
  states: readonly State[],
  initial: State,
  rows: readonly Row<State>[],
): StateMachine<State> {
  const transitions = rows.flatMap(([from, to, by, when]) =>
    (typeof by === 'string' ? [by] : by).map((mover) => ({ from, to, by: mover, when })),
  );
  return { states, initial, transitions };
}
