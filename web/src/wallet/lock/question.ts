import { createStore } from '../../ui/store.ts';

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

export const openQuestion = createStore<Question | undefined>(undefined);
let asked = 0;

export function ask(act: LockedAct, kind: Question['kind']): Promise<boolean> {
  if (openQuestion.now() !== undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    asked += 1;
    const number = asked;
    const answer = (isUnlocked: boolean) => {
      // A dialog that closes late must not take the next question away.
      if (openQuestion.now()?.number === number) openQuestion.set(undefined);
      resolve(isUnlocked);
    };
    openQuestion.set({ number, act, kind, answer });
  });
}
