import type { EndpointWithSecret, WebhookSubscription } from '@payassent/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { webhooks } from '../../texts/portal/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { ShownOnce } from '../../ui/copy-button.tsx';
import { ErrorNote, fieldError } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { merchantClient } from '../client.ts';
import { useMerchant } from '../session.ts';
import { offeredPage } from '../shell/offered.tsx';
import { PendingMerchant } from '../shell/pending-merchant.tsx';
import { EventChoice } from './event-choice.tsx';
import { VerifyPanel } from './verify-panel.tsx';

const texts = webhooks.create;

export const NewEndpointPage = offeredPage('POST /v1/webhook-endpoints', function NewEndpointPage() {
  const merchant = useMerchant();
  const queries = useQueryClient();
  const creation = useMutation({
    mutationFn: (input: { url: string; event_types: readonly WebhookSubscription[] }) =>
      merchantClient.webhooks.create(input),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['webhooks'] }),
    // The secret leaves memory with this page.
    gcTime: 0,
  });
  return (
    <Page title={texts.title}>
      {merchant.status === 'pending' ? (
        <PendingMerchant />
      ) : creation.data === undefined ? (
        <EndpointForm isBusy={creation.isPending} error={creation.error} onSubmit={creation.mutate} />
      ) : (
        <Created made={creation.data} />
      )}
    </Page>
  );
});

function EndpointForm({
  isBusy,
  error,
  onSubmit,
}: {
  isBusy: boolean;
  error: Error | null;
  onSubmit(input: { url: string; event_types: readonly WebhookSubscription[] }): void;
}) {
  const [url, setUrl] = useState('');
  const [chosen, setChosen] = useState<readonly WebhookSubscription[]>(['*']);
  const [isEmpty, setEmpty] = useState(false);
  return (
    <form
      className="card stack endpoint-form"
      aria-label={texts.title}
      onSubmit={(event) => {
        event.preventDefault();
        setEmpty(chosen.length === 0);
        if (chosen.length > 0) onSubmit({ url, event_types: chosen });
      }}
    >
      <TextField
        label={texts.url}
        hint={texts.urlHint}
        type="url"
        required
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
        error={fieldError(error, 'url')}
      />
      <EventChoice chosen={chosen} onChange={setChosen} />
      {isEmpty && chosen.length === 0 ? <Note kind="bad">{texts.nothing}</Note> : null}
      {error === null ? null : <ErrorNote error={error} />}
      <div>
        <Button type="submit" kind="main" isBusy={isBusy}>
          {texts.save}
        </Button>
      </div>
    </form>
  );
}

function Created({ made }: { made: EndpointWithSecret }) {
  const id = made.webhook_endpoint.webhook_endpoint_id;
  return (
    <div className="stack">
      <section className="card stack" aria-label={texts.secretName}>
        <ShownOnce value={made.secret} name={texts.secretName} />
        <p>{texts.secretLead}</p>
        <p>{texts.next}</p>
      </section>
      <VerifyPanel id={id} />
      <p>
        <Link href={`/webhooks/${id}`}>{texts.toEndpoint}</Link>
      </p>
    </div>
  );
}
