import { isApiError } from '@payassent/sdk';
import { useMutation } from '@tanstack/react-query';
import { deliveries, webhooks } from '../../texts/portal/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Note, Progress } from '../../ui/notes.tsx';
import { refresh } from '../../ui/queries.ts';
import { merchantClient } from '../client.ts';
import { offered } from '../shell/offered.tsx';
import { faultWords } from './event-names.tsx';

/** Sends the challenge. To an active endpoint the same message is the test event: whatever comes back, nothing changes. */
export const VerifyPanel = offered(
  'POST /v1/webhook-endpoints/{}/verify',
  function VerifyPanel({ id, purpose = 'verify' }: { id: string; purpose?: 'verify' | 'test' }) {
    const texts = webhooks[purpose];
    const verification = useMutation({
      mutationFn: () => merchantClient.webhooks.verify(id),
      onSettled: () => refresh('webhooks'),
    });
    return (
      <section className="card stack" aria-label={texts.title}>
        <h2>{texts.title}</h2>
        <p className="soft">{texts.lead}</p>
        {purpose === 'verify' ? <Sample /> : null}
        <div role="status" className="stack-tight">
          {verification.isPending ? <Progress>{webhooks.verify.progress}</Progress> : null}
          {verification.isSuccess ? <Note kind="good">{texts.done}</Note> : null}
        </div>
        {verification.error === null ? null : <VerifyFault error={verification.error} />}
        {verification.isSuccess && purpose === 'verify' ? null : (
          <div>
            <Button
              kind={purpose === 'verify' ? 'main' : 'usual'}
              isBusy={verification.isPending}
              onClick={() => verification.mutate()}
            >
              {texts.action}
            </Button>
          </div>
        )}
      </section>
    );
  },
);

function Sample() {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer
    <section aria-label={webhooks.verify.sampleLabel} tabIndex={0}>
      <pre className="sample">{webhooks.verify.sample}</pre>
    </section>
  );
}

/** What the service saw at the receiver, and what to do there. */
export function VerifyFault({ error }: { error: unknown }) {
  const details = isApiError(error) ? (error.details as Record<string, unknown>) : {};
  const { error_class: fault, http_status: status } = details;
  if (typeof fault !== 'string') return <ErrorNote error={error} />;
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
