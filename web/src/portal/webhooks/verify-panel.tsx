import { isApiError } from '@payassent/sdk';
import { deliveries, webhooks } from '../../texts/portal/webhooks.ts';
import { Problem, useAction } from '../../ui/action.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Note, Progress } from '../../ui/notes.tsx';
import { refresh } from '../../ui/queries.ts';
import { merchantClient } from '../client.ts';
import { offered } from '../shell/offered.tsx';
import { faultWords } from './event-names.tsx';

/** Sends the challenge. To an active endpoint the same message is the test event: its result changes nothing. */
export const VerifyPanel = offered(
  'POST /v1/webhook-endpoints/{}/verify',
  function VerifyPanel({ id, purpose = 'verify' }: { id: string; purpose?: 'verify' | 'test' }) {
    const texts = webhooks[purpose];
    const { isBusy, isDone = false, error, run } = useAction();
    const verify = () => merchantClient.webhooks.verify(id).finally(() => refresh('webhooks'));
    return (
      <section className="card stack" aria-label={texts.title}>
        <h2>{texts.title}</h2>
        <p className="soft">{texts.lead}</p>
        {purpose === 'verify' ? <Sample /> : null}
        <div role="status" className="stack-tight">
          {isBusy ? <Progress>{webhooks.verify.progress}</Progress> : null}
          {isDone ? <Note kind="good">{texts.done}</Note> : null}
        </div>
        <Problem error={error} problem={verifyProblem} />
        {isDone && purpose === 'verify' ? null : (
          <Button kind={purpose === 'verify' ? 'main' : 'usual'} isBusy={isBusy} onClick={() => run(verify)}>
            {texts.action}
          </Button>
        )}
      </section>
    );
  },
);

function Sample() {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer
    <section className="sample-frame" aria-label={webhooks.verify.sampleLabel} tabIndex={0}>
      <pre className="sample">{webhooks.verify.sample}</pre>
    </section>
  );
}

/** What the service saw at the receiver, and what to do there. */
export function verifyProblem(error: unknown) {
  const details = isApiError(error) ? (error.details as Record<string, unknown>) : {};
  const { error_class: fault, http_status: status } = details;
  if (typeof fault !== 'string') return undefined;
  return (
    <>
      <ErrorNote error={error} />
      <Note kind="warn">
        <strong>
          {webhooks.verify.why}: {faultWords(fault)}
        </strong>
        {typeof status === 'number' ? <span>{webhooks.verify.httpStatus(status)}</span> : null}
        <span>{deliveries.advice[fault] ?? ''}</span>
      </Note>
    </>
  );
}
