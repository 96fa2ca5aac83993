import { useEffect } from 'react';
import type { AroundNavHandler } from 'wouter';
import { common } from '../../texts/common.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialogs.tsx';
import { useUnloadGuard } from '../../ui/page.tsx';
import { createStore, useStore } from '../../ui/store.ts';

/** What would be lost by leaving, and the label of the button that leaves. */
interface LeaveQuestionTexts {
  title: string;
  text: string;
  confirm: string;
}

let guarded: { texts: LeaveQuestionTexts; place: string } | undefined;
/** The navigation that awaits the confirmation. */
const waiting = createStore<(() => void) | undefined>(undefined);

/** Navigates immediately, or confirms first where something would be lost. */
export function leaveBy(step: () => void): void {
  if (guarded === undefined) step();
  else waiting.set(step);
}

/** For the router: every link and every change of page goes through here. */
export const askedNavigation: AroundNavHandler = (navigate, to, options) =>
  leaveBy(() => navigate(to, options));

// `popstate` comes after the step through the history: this listener undoes the step before the router sees it, because
// the router's listener was added later.
addEventListener('popstate', (event) => {
  if (guarded === undefined) return;
  event.stopImmediatePropagation();
  const wanted = location.href;
  history.pushState(null, '', guarded.place);
  leaveBy(() => history.pushState(null, '', wanted));
});

/** While data exists only on this page: closing, reloading, going back or elsewhere needs a confirmation. */
export function useLeaveGuard(isNeeded: boolean, texts: LeaveQuestionTexts): void {
  useEffect(() => {
    if (!isNeeded) return;
    guarded = { texts, place: location.href };
    return () => {
      guarded = undefined;
      waiting.set(undefined);
    };
  }, [isNeeded, texts]);
  useUnloadGuard(isNeeded);
}

export function LeaveQuestion() {
  const step = useStore(waiting);
  const stay = () => waiting.set(undefined);
  const go = () => {
    waiting.set(undefined);
    step?.();
  };
  if (guarded === undefined) return null;
  const { title, text, confirm } = guarded.texts;
  return (
    <Dialog title={title} isOpen={step !== undefined} onClose={stay}>
      <p>{text}</p>
      <div className="row">
        <Button kind="danger" onClick={go}>
          {confirm}
        </Button>
        <Button onClick={stay}>{common.cancel}</Button>
      </div>
    </Dialog>
  );
}
