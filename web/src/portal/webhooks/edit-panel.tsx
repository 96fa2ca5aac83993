import type { WebhookEndpoint, WebhookSubscription } from '@payassent/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { common } from '../../texts/common.ts';
import { webhooks } from '../../texts/portal/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialogs.tsx';
import { ErrorNote, fieldError } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Note } from '../../ui/notes.tsx';
import { merchantClient } from '../client.ts';
import { EventChoice } from './event-choice.tsx';

const texts = webhooks.edit;

export function EditButton({ endpoint }: { endpoint: WebhookEndpoint }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{texts.label}</Button>
      <Dialog title={texts.title} isOpen={isOpen} onClose={close}>
        <EditForm endpoint={endpoint} onDone={close} />
      </Dialog>
    </>
  );
}

function EditForm({ endpoint, onDone }: { endpoint: WebhookEndpoint; onDone(): void }) {
  const queries = useQueryClient();
  const [url, setUrl] = useState(endpoint.url);
  const [chosen, setChosen] = useState<readonly WebhookSubscription[]>(endpoint.event_types);
  const { webhook_endpoint_id: id, version } = endpoint;
  const isMoved = url !== endpoint.url;
  const change = useMutation({
    mutationFn: () =>
      merchantClient.webhooks.update(id, { ...(isMoved ? { url } : {}), event_types: chosen, version }),
    onSuccess: onDone,
    onSettled: () => queries.invalidateQueries({ queryKey: ['webhooks'] }),
  });
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate();
      }}
    >
      <TextField
        label={webhooks.create.url}
        type="url"
        required
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
        error={fieldError(change.error, 'url')}
      />
      {isMoved ? <Note kind="warn">{texts.moved}</Note> : null}
      <EventChoice chosen={chosen} onChange={setChosen} />
      {chosen.length === 0 ? <Note kind="warn">{webhooks.create.nothing}</Note> : null}
      {change.error === null ? null : <ErrorNote error={change.error} />}
      <div className="row">
        <Button type="submit" kind="main" isBusy={change.isPending} disabled={chosen.length === 0}>
          {texts.save}
        </Button>
        <Button onClick={onDone}>{common.cancel}</Button>
      </div>
    </form>
  );
}
