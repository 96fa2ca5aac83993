import { WEBHOOK_EVENT_PATTERNS, WEBHOOK_EVENT_TYPES } from '@payassent/protocol';
import type {
  EndpointWithSecret,
  WebhookEndpoint,
  WebhookEventType,
  WebhookSubscription,
} from '@payassent/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { webhooks as texts } from '../../texts/portal/webhooks.ts';
import { Button, ShownOnce } from '../../ui/button.tsx';
import { ErrorNote, fieldError } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/facts.tsx';
import { CheckboxField, TextField } from '../../ui/fields.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { EmptyState, Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { merchantClient } from '../client.ts';
import { StatusBadge, Table } from '../parts/lists.tsx';
import { useMerchant } from '../session.ts';
import { Offered, offeredPage, PendingMerchant } from '../shell/offered.tsx';
import { actName, subscriptionName } from './event-names.tsx';
import { VerifyPanel } from './verify-panel.tsx';

/** An organization has 16 endpoints at most: one page holds them all. */
export function useEndpoints() {
  return useQuery({
    queryKey: ['webhooks', 'endpoints'],
    queryFn: async ({ signal }) =>
      (await merchantClient.webhooks.list({ limit: 100 }, { signal })).webhook_endpoints,
  });
}

export function EndpointsPage() {
  const query = useEndpoints();
  return (
    <Page title={texts.title} actions={<Actions />}>
      <p className="soft">{texts.lead}</p>
      <QueryView query={query}>
        {(endpoints) =>
          endpoints.length === 0 ? (
            <EmptyState title={texts.empty.title}>{texts.empty.text}</EmptyState>
          ) : (
            <Table label={texts.table} heads={Object.values(texts.heads)}>
              {endpoints.map((endpoint) => (
                <EndpointRow key={endpoint.webhook_endpoint_id} endpoint={endpoint} />
              ))}
            </Table>
          )
        }
      </QueryView>
    </Page>
  );
}

function Actions() {
  return (
    <div className="row">
      <Link className="button" href="/webhooks/deliveries">
        {texts.deliveries}
      </Link>
      <Offered call="POST /v1/webhook-endpoints">
        <Link className="button" data-kind="main" href="/webhooks/new">
          {texts.add}
        </Link>
      </Offered>
    </div>
  );
}

function EndpointRow({ endpoint }: { endpoint: WebhookEndpoint }) {
  return (
    <tr>
      <td>
        <Link href={`/webhooks/${endpoint.webhook_endpoint_id}`}>
          <ForeignText inline>{endpoint.url}</ForeignText>
        </Link>
      </td>
      <td>
        <StatusBadge status={endpoint.status} />
      </td>
      <td>{endpoint.event_types.map(subscriptionName).join(', ')}</td>
      <td className="nowrap">
        <Moment>{endpoint.created_at}</Moment>
      </td>
    </tr>
  );
}

const newEndpointPageTexts = texts.create;

export const NewEndpointPage = offeredPage('POST /v1/webhook-endpoints', function NewEndpointPage() {
  const merchant = useMerchant();
  const creation = useMutation({
    mutationFn: (input: { url: string; event_types: readonly WebhookSubscription[] }) =>
      merchantClient.webhooks.create(input),
    onSuccess: () => refresh('webhooks'),
    // The secret leaves memory with this page.
    gcTime: 0,
  });
  return (
    <Page title={newEndpointPageTexts.title}>
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
      aria-label={newEndpointPageTexts.title}
      onSubmit={(event) => {
        event.preventDefault();
        setEmpty(chosen.length === 0);
        if (chosen.length > 0) onSubmit({ url, event_types: chosen });
      }}
    >
      <TextField
        label={newEndpointPageTexts.url}
        hint={newEndpointPageTexts.urlHint}
        type="url"
        required
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
        error={fieldError(error, 'url')}
      />
      <EventChoice chosen={chosen} onChange={setChosen} />
      {isEmpty && chosen.length === 0 ? <Note kind="bad">{newEndpointPageTexts.nothing}</Note> : null}
      {error === null ? null : <ErrorNote error={error} />}
      <div>
        <Button type="submit" kind="main" isBusy={isBusy}>
          {newEndpointPageTexts.save}
        </Button>
      </div>
    </form>
  );
}

function Created({ made }: { made: EndpointWithSecret }) {
  const id = made.webhook_endpoint.webhook_endpoint_id;
  return (
    <div className="stack">
      <section className="card stack" aria-label={newEndpointPageTexts.secretName}>
        <ShownOnce value={made.secret} name={newEndpointPageTexts.secretName} />
        <p>{newEndpointPageTexts.secretLead}</p>
        <p>{newEndpointPageTexts.next}</p>
      </section>
      <VerifyPanel id={id} />
      <p>
        <Link href={`/newEndpointPageTexts/${id}`}>{newEndpointPageTexts.toEndpoint}</Link>
      </p>
    </div>
  );
}

const eventChoiceTexts = texts.create;
const FAMILIES = WEBHOOK_EVENT_PATTERNS.filter((pattern) => pattern !== '*');

function typesOf(family: string): WebhookEventType[] {
  const prefix = family.slice(0, -1);
  return WEBHOOK_EVENT_TYPES.filter((type) => type.startsWith(prefix));
}

/** Everything, whole families, or single events. */
export function EventChoice({
  chosen,
  onChange,
}: {
  chosen: readonly WebhookSubscription[];
  onChange(chosen: readonly WebhookSubscription[]): void;
}) {
  const isAll = chosen.includes('*');
  const toggle = (entry: WebhookSubscription, isOn: boolean) =>
    onChange(isOn ? [...chosen, entry] : chosen.filter((other) => other !== entry));
  return (
    <fieldset className="stack">
      <legend>{eventChoiceTexts.events}</legend>
      <label className="row">
        <input type="radio" name="events" checked={isAll} onChange={() => onChange(['*'])} />
        {eventChoiceTexts.all}
      </label>
      <label className="row">
        <input type="radio" name="events" checked={!isAll} onChange={() => onChange([])} />
        {eventChoiceTexts.some}
      </label>
      {isAll
        ? null
        : FAMILIES.map((family) => <Family key={family} family={family} chosen={chosen} toggle={toggle} />)}
    </fieldset>
  );
}

function Family({
  family,
  chosen,
  toggle,
}: {
  family: WebhookSubscription;
  chosen: readonly WebhookSubscription[];
  toggle(entry: WebhookSubscription, isOn: boolean): void;
}) {
  const isWhole = chosen.includes(family);
  return (
    <fieldset className="stack-tight">
      <legend>{subscriptionName(family)}</legend>
      <CheckboxField
        label={eventChoiceTexts.familyAll}
        checked={isWhole}
        onChange={(event) => toggle(family, event.currentTarget.checked)}
      />
      <div className="check-grid">
        {typesOf(family).map((type) => (
          <CheckboxField
            key={type}
            label={actName(type)}
            checked={isWhole || chosen.includes(type)}
            disabled={isWhole}
            onChange={(event) => toggle(type, event.currentTarget.checked)}
          />
        ))}
      </div>
    </fieldset>
  );
}
