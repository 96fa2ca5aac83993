import { useEffect } from 'react';
import type { AroundNavHandler } from 'wouter';
import { common } from '../../texts/common.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialogs.tsx';
import { useUnloadGuard } from '../../ui/page.tsx';
import { createStore, useStore } from '../../ui/store.ts';

/** What would be lost by going on, and what the way out of here is called. */
interface LeaveQuestionTexts {
  title: string;
  text: string;
  confirm: string;
}

let guarded: { texts: LeaveQuestionTexts; place: string } | undefined;
/** The step that waits for an answer. */
const waiting = createStore<(() => void) | undefined>(undefined);

/** Takes the step at once, or asks first where something would be lost. */
export function leaveBy(step: () => void): void {
  if (guarded === undefined) step();
  else waiting.set(step);
}

/** For the router: every link and every change of page goes through here. */
export const askedNavigation: AroundNavHandler = (navigate, to, options) =>
  leaveBy(() => navigate(to, options));

// A step through the history has happened when it is heard of: it is taken back before the router sees it, which hears
// of it later, because it began to listen later.
addEventListener('popstate', (event) => {
  if (guarded === undefined) return;
  event.stopImmediatePropagation();
  const wanted = location.href;
  history.pushState(null, '', guarded.place);
  leaveBy(() => history.pushState(null, '', wanted));
});

/** While something on this page exists nowhere else: closing, reloading, going back or elsewhere asks first. */
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
