import { WEBHOOK_EVENT_PATTERNS, WEBHOOK_EVENT_TYPES } from '@payassent/protocol';
import type {
  EndpointWithSecret,
  WebhookEndpoint,
  WebhookEventType,
  WebhookSubscription,
} from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { webhooks as texts } from '../../texts/portal/webhooks.ts';
import { ShownOnce } from '../../ui/button.tsx';
import { Moment } from '../../ui/facts.tsx';
import { CheckboxField, TextField } from '../../ui/fields.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Form } from '../../ui/form.tsx';
import { EmptyState, Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { merchantClient } from '../client.ts';
import { Row, RowLink, StatusBadge, Table } from '../parts/lists.tsx';
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
    <Row>
      <RowLink href={`/webhooks/${endpoint.webhook_endpoint_id}`}>
        <ForeignText inline>{endpoint.url}</ForeignText>
      </RowLink>
      <StatusBadge status={endpoint.status} />
      {endpoint.event_types.map(subscriptionName).join(', ')}
      <Moment>{endpoint.created_at}</Moment>
    </Row>
  );
}

export const NewEndpointPage = offeredPage('POST /v1/webhook-endpoints', function NewEndpointPage() {
  const merchant = useMerchant();
  // The secret leaves memory with this page.
  const [made, setMade] = useState<EndpointWithSecret>();
  return (
    <Page title={texts.create.title}>
      {merchant.status === 'pending' ? (
        <PendingMerchant />
      ) : made === undefined ? (
        <EndpointForm onMade={setMade} />
      ) : (
        <Created made={made} />
      )}
    </Page>
  );
});

function EndpointForm({ onMade }: { onMade(made: EndpointWithSecret): void }) {
  const [url, setUrl] = useState('');
  const [chosen, setChosen] = useState<readonly WebhookSubscription[]>(['*']);
  const [isEmpty, setEmpty] = useState(false);
  const create = async () => {
    setEmpty(chosen.length === 0);
    if (chosen.length === 0) return;
    onMade(await merchantClient.webhooks.create({ url, event_types: chosen }));
    await refresh('webhooks');
  };
  const { title, save, nothing, ...words } = texts.create;
  return (
    <Form className="card stack endpoint-form" aria-label={title} action={save} run={create}>
      <TextField
        label={words.url}
        hint={words.urlHint}
        name="url"
        type="url"
        required
        value={url}
        onValue={setUrl}
      />
      <EventChoice chosen={chosen} onChange={setChosen} />
      {isEmpty && chosen.length === 0 ? <Note kind="bad">{nothing}</Note> : null}
    </Form>
  );
}

function Created({ made }: { made: EndpointWithSecret }) {
  const id = made.webhook_endpoint.webhook_endpoint_id;
  return (
    <div className="stack">
      <section className="card stack" aria-label={texts.create.secretName}>
        <ShownOnce value={made.secret} name={texts.create.secretName} />
        <p>{texts.create.secretLead}</p>
        <p>{texts.create.next}</p>
      </section>
      <VerifyPanel id={id} />
      <p>
        <Link href={`/webhooks/${id}`}>{texts.create.toEndpoint}</Link>
      </p>
    </div>
  );
}

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
      <legend>{texts.create.events}</legend>
      <label className="row">
        <input type="radio" name="events" checked={isAll} onChange={() => onChange(['*'])} />
        {texts.create.all}
      </label>
      <label className="row">
        <input type="radio" name="events" checked={!isAll} onChange={() => onChange([])} />
        {texts.create.some}
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
        label={texts.create.familyAll}
        checked={isWhole}
        onValue={(isOn) => toggle(family, isOn)}
      />
      <div className="check-grid">
        {typesOf(family).map((type) => (
          <CheckboxField
            key={type}
            label={actName(type)}
            checked={isWhole || chosen.includes(type)}
            disabled={isWhole}
            onValue={(isOn) => toggle(type, isOn)}
          />
        ))}
      </div>
    </fieldset>
  );
}
