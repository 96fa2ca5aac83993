import { Suspense, useEffect } from 'react';
import { onDemand } from '../../ui/on-demand.tsx';
import { useStore } from '../../ui/store.ts';
import { openQuestion } from './question.ts';

const LockDialog = onDemand(() => import('./lock-dialog.tsx'), 'LockDialog');

/** Where the question for PIN or passkey appears. */
export function LockQuestion() {
  const question = useStore(openQuestion);
  // Leaving the wallet cancels its prompt.
  useEffect(() => () => openQuestion.now()?.answer(false), []);
  if (question === undefined) return null;
  return (
    <Suspense>
      <LockDialog question={question} key={question.number} />
    </Suspense>
  );
}
