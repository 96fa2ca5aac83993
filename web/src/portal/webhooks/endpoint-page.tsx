import type { WebhookEndpoint, WebhookSubscription } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { common } from '../../texts/common.ts';
import { deliveries, webhooks as texts } from '../../texts/portal/webhooks.ts';
import { Problem, useAction } from '../../ui/action.tsx';
import { ConfirmButton } from '../../ui/action-buttons.tsx';
import { Button, ShownOnce } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialogs.tsx';
import { Facts, Moment } from '../../ui/facts.tsx';
import { TextField } from '../../ui/fields.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Form } from '../../ui/form.tsx';
import { Note, Progress } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { queries, refresh } from '../../ui/queries.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { merchantClient } from '../client.ts';
import { StatusBadge } from '../parts/lists.tsx';
import { CALM_MS } from '../parts/live.tsx';
import { offered } from '../shell/offered.tsx';
import { DeliveryHealth, DeliveryList } from './deliveries-page.tsx';
import { EventChoice } from './endpoints-page.tsx';
import { subscriptionName } from './event-names.tsx';
import { VerifyPanel, verifyProblem } from './verify-panel.tsx';

export function EndpointPage({ id }: { id: string }) {
  const query = useQuery({
    queryKey: ['webhooks', 'endpoint', id],
    queryFn: async ({ signal }) => (await merchantClient.webhooks.get(id, { signal })).webhook_endpoint,
    refetchInterval: CALM_MS,
  });
  return (
    <Page title={texts.detailTitle}>
      <QueryView query={query}>{(endpoint) => <Detail endpoint={endpoint} />}</QueryView>
    </Page>
  );
}

function Detail({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { webhook_endpoint_id: id, status } = endpoint;
  return (
    <div className="stack">
      <section className="card stack">
        <Facts
          facts={[
            [
              texts.facts.url,
              <ForeignText key="url" inline>
                {endpoint.url}
              </ForeignText>,
            ],
            [texts.facts.status, <StatusBadge key="status" status={status} />],
            [texts.facts.events, endpoint.event_types.map(subscriptionName).join(', ')],
            [texts.facts.created, <Moment key="created">{endpoint.created_at}</Moment>],
            [texts.facts.changed, <Moment key="changed">{endpoint.updated_at}</Moment>],
            [texts.facts.id, <code key="id">{id}</code>],
          ]}
        />
        <p>{texts.statusMeaning[status]}</p>
        {endpoint.queue_full_since === null ? null : (
          <Note kind="warn">
            <span>
              {texts.queueFull} <Moment>{endpoint.queue_full_since}</Moment>.
            </span>
          </Note>
        )}
      </section>
      <div className="columns">
        {status === 'pending_verification' ? <VerifyPanel id={id} /> : null}
        {status === 'active' ? <VerifyPanel id={id} purpose="test" /> : null}
        <SecretPanel id={id} />
        <ChangePanel endpoint={endpoint} />
      </div>
      <section className="section" aria-labelledby="deliveries-title">
        <h2 id="deliveries-title">{deliveries.title}</h2>
        <DeliveryHealth endpointId={id} />
        <DeliveryList endpointId={id} />
      </section>
    </div>
  );
}

const ChangePanel = offered(
  'PATCH /v1/webhook-endpoints/{}',
  function ChangePanel({ endpoint }: { endpoint: WebhookEndpoint }) {
    const [, navigate] = useLocation();
    const { webhook_endpoint_id: id, version, status } = endpoint;
    const { isBusy, error, run } = useAction();
    const enable = () =>
      merchantClient.webhooks.update(id, { status: 'active', version }).finally(() => refresh('webhooks'));
    const disable = async () => {
      // Also after an error: the endpoint may have changed, and the next try needs its present version.
      await merchantClient.webhooks
        .update(id, { status: 'disabled', version })
        .finally(() => refresh('webhooks'));
    };
    const remove = async () => {
      await merchantClient.webhooks.delete(id);
      navigate('/webhooks');
      queries.removeQueries({ queryKey: ['webhooks', 'endpoint', id] });
      await refresh('webhooks');
    };
    const { change } = texts;
    return (
      <section className="card stack" aria-label={change.title}>
        <h2>{change.title}</h2>
        {isBusy ? <Progress>{change.enableProgress}</Progress> : null}
        <Problem error={error} problem={verifyProblem} />
        <div className="row">
          <EditButton endpoint={endpoint} />
          {status === 'disabled' ? (
            <Button kind="main" isBusy={isBusy} onClick={() => run(enable)}>
              {change.enable}
            </Button>
          ) : (
            <ConfirmButton texts={change.disable} kind="usual" run={disable} />
          )}
          <ConfirmButton texts={change.remove} run={remove} />
        </div>
      </section>
    );
  },
);

const editTexts = texts.edit;

function EditButton({ endpoint }: { endpoint: WebhookEndpoint }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{editTexts.label}</Button>
      <Dialog title={editTexts.title} isOpen={isOpen} onClose={close}>
        <EditForm endpoint={endpoint} onDone={close} />
      </Dialog>
    </>
  );
}

function EditForm({ endpoint, onDone }: { endpoint: WebhookEndpoint; onDone(): void }) {
  const [url, setUrl] = useState(endpoint.url);
  const [chosen, setChosen] = useState<readonly WebhookSubscription[]>(endpoint.event_types);
  const { webhook_endpoint_id: id, version } = endpoint;
  const isMoved = url !== endpoint.url;
  const change = async () => {
    const next = { ...(isMoved ? { url } : {}), event_types: chosen, version };
    await merchantClient.webhooks.update(id, next).finally(() => refresh('webhooks'));
    onDone();
  };
  return (
    <Form
      className="stack"
      action={editTexts.save}
      disabled={chosen.length === 0}
      run={change}
      extra={<Button onClick={onDone}>{common.cancel}</Button>}
    >
      <TextField label={texts.create.url} name="url" type="url" required value={url} onValue={setUrl} />
      {isMoved ? <Note kind="warn">{editTexts.moved}</Note> : null}
      <EventChoice chosen={chosen} onChange={setChosen} />
      {chosen.length === 0 ? <Note kind="warn">{texts.create.nothing}</Note> : null}
    </Form>
  );
}

const secretTexts = texts.secret;

const SecretPanel = offered(
  'POST /v1/webhook-endpoints/{}/rotate-secret',
  function SecretPanel({ id }: { id: string }) {
    const [secret, setSecret] = useState<string>();
    const rotate = async () => {
      setSecret((await merchantClient.webhooks.rotateSecret(id)).secret);
      await refresh('webhooks');
    };
    return (
      <section className="card stack" aria-label={secretTexts.title}>
        <h2>{secretTexts.title}</h2>
        {secret === undefined ? (
          <>
            <p className="soft">{secretTexts.lead}</p>
            <ConfirmButton texts={secretTexts.rotate} kind="usual" run={rotate} />
          </>
        ) : (
          <>
            <ShownOnce value={secret} name={secretTexts.name} />
            <p className="soft">{secretTexts.after}</p>
            <Button onClick={() => setSecret(undefined)}>{secretTexts.done}</Button>
          </>
        )}
      </section>
    );
  },
);
