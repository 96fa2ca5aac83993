import type { WebhookEndpoint } from '@payassent/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { deliveries, webhooks as texts } from '../../texts/portal/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/dialogs.tsx';
import { Facts, Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Note, Progress } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { merchantClient } from '../client.ts';
import { CALM_MS } from '../parts/intervals.ts';
import { StatusBadge } from '../parts/status-badge.tsx';
import { offered } from '../shell/offered.tsx';
import { DeliveryHealth } from './delivery-health.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { EditButton } from './edit-panel.tsx';
import { subscriptionName } from './event-names.tsx';
import { SecretPanel } from './secret-panel.tsx';
import { VerifyFault, VerifyPanel } from './verify-panel.tsx';

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
    const queries = useQueryClient();
    const [, navigate] = useLocation();
    const { webhook_endpoint_id: id, version, status } = endpoint;
    const refresh = () => queries.invalidateQueries({ queryKey: ['webhooks'] });
    const enabling = useMutation({
      mutationFn: () => merchantClient.webhooks.update(id, { status: 'active', version }),
      onSettled: refresh,
    });
    const disable = async () => {
      // Also after a refusal: it may be because the endpoint has changed, and the next try must know how.
      await merchantClient.webhooks.update(id, { status: 'disabled', version }).finally(refresh);
    };
    const remove = async () => {
      await merchantClient.webhooks.delete(id);
      navigate('/webhooks');
      queries.removeQueries({ queryKey: ['webhooks', 'endpoint', id] });
      await refresh();
    };
    const { change } = texts;
    return (
      <section className="card stack" aria-label={change.title}>
        <h2>{change.title}</h2>
        {enabling.isPending ? <Progress>{change.enableProgress}</Progress> : null}
        {enabling.error === null ? null : <VerifyFault error={enabling.error} />}
        <div className="row">
          <EditButton endpoint={endpoint} />
          {status === 'disabled' ? (
            <Button kind="main" isBusy={enabling.isPending} onClick={() => enabling.mutate()}>
              {change.enable}
            </Button>
          ) : (
            <ConfirmButton
              label={change.disable.label}
              title={change.disable.title}
              confirmLabel={change.disable.confirm}
              kind="usual"
              run={disable}
            >
              {change.disable.text}
            </ConfirmButton>
          )}
          <ConfirmButton
            label={change.remove.label}
            title={change.remove.title}
            confirmLabel={change.remove.confirm}
            run={remove}
          >
            {change.remove.text}
          </ConfirmButton>
        </div>
      </section>
    );
  },
);
