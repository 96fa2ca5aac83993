/** What a person who merely holds the device must not do. */
export type LockedAct =
  | 'approve'
  | 'seed'
  | 'testKey'
  | 'link'
  | 'endorse'
  | 'decisionKey'
  | 'optIn'
  | 'recovery'
  | 'change'
  | 'unlock';

export interface Question {
  number: number;
  act: LockedAct;
  kind: 'pin' | 'passkey';
  answer(isUnlocked: boolean): void;
}

let question: Question | undefined;
let asked = 0;
const listeners = new Set<() => void>();

export const openQuestion = {
  now: () => question,
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

function show(next: Question | undefined): void {
  question = next;
  for (const listener of listeners) listener();
}

export function ask(act: LockedAct, kind: Question['kind']): Promise<boolean> {
  if (question !== undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    asked += 1;
    const number = asked;
    const answer = (isUnlocked: boolean) => {
      // A dialog that closes late must not take the next question away.
      if (question?.number === number) show(undefined);
      resolve(isUnlocked);
    };
    show({ number, act, kind, answer });
  });
}
