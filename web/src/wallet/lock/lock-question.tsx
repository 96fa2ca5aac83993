import { Suspense, useEffect, useSyncExternalStore } from 'react';
import { onDemand } from '../../ui/on-demand.tsx';
import { openQuestion } from './question.ts';

const LockDialog = onDemand(() => import('./lock-dialog.tsx'), 'LockDialog');

/** Where the question for PIN or passkey appears. */
export function LockQuestion() {
  const question = useSyncExternalStore(openQuestion.subscribe, openQuestion.now);
  // A wallet that is left takes its question along.
  useEffect(() => () => openQuestion.now()?.answer(false), []);
  if (question === undefined) return null;
  return (
    <Suspense>
      <LockDialog question={question} key={question.number} />
    </Suspense>
  );
}
