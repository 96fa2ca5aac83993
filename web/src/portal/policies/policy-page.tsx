import type { AllowlistEntry, AutomationPolicy } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { policies as texts } from '../../texts/portal/policies.ts';
import { ConfirmButton } from '../../ui/action-buttons.tsx';
import { Address, Facts, Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { merchantClient } from '../client.ts';
import { StatusBadge } from '../parts/lists.tsx';
import { CALM_MS } from '../parts/live.tsx';
import { offered } from '../shell/offered.tsx';
import { AgentPaymentList } from './agent-payments.tsx';
import { Consent, UsageMeter } from './policies-page.tsx';

export function PolicyPage({ id }: { id: string }) {
  const query = useQuery({
    queryKey: ['policies', 'one', id],
    queryFn: ({ signal }) => merchantClient.policies.get(id, { signal }),
    refetchInterval: CALM_MS,
  });
  return (
    <Page title={texts.detailTitle}>
      <QueryView query={query}>{(policy) => <Detail policy={policy} />}</QueryView>
    </Page>
  );
}

function Detail({ policy }: { policy: AutomationPolicy }) {
  return (
    <div className="stack">
      <section className="card stack">
        <div className="row-between">
          <h2>
            <ForeignText inline>{texts.name(policy.asset, policy.network)}</ForeignText>
          </h2>
          <StatusBadge status={policy.status} />
        </div>
        <Consent policy={policy} />
        <UsageMeter policy={policy} />
        <p className="soft">{texts.usage.never}</p>
        <Stops policy={policy} />
      </section>
      <Limits policy={policy} />
      <section className="section" aria-labelledby="payments-title">
        <h2 id="payments-title">{texts.payments}</h2>
        <AgentPaymentList connectionId={policy.connection_id} />
      </section>
      <section className="card stack">
        <h2>{texts.records}</h2>
        <Facts
          facts={[
            [texts.facts.id, <code key="id">{policy.id}</code>],
            [
              texts.facts.connection,
              <Link key="connection" href={`/connections/${policy.connection_id}`}>
                <code>{policy.connection_id}</code>
              </Link>,
            ],
            policy.issuer === null
              ? null
              : [texts.facts.issuer, <Address key="issuer">{policy.issuer}</Address>],
            [texts.facts.created, <Moment key="created">{policy.created_at}</Moment>],
            [texts.facts.version, String(policy.version)],
          ]}
        />
      </section>
    </div>
  );
}

/** A merchant may pause or revoke a policy at any time, and never extend it. */
const Stops = offered(
  'DELETE /v1/automation-policies/{}',
  function Stops({ policy }: { policy: AutomationPolicy }) {
    if (policy.status === 'revoked' || policy.status === 'expired') return null;
    return (
      <div className="row">
        {policy.status === 'active' ? (
          <ConfirmButton
            texts={texts.pause}
            kind="usual"
            run={() => merchantClient.policies.pause(policy.id)}
            refreshes={['policies']}
          />
        ) : null}
        <ConfirmButton
          texts={texts.stop}
          run={() => merchantClient.policies.revoke(policy.id)}
          refreshes={['policies']}
        />
      </div>
    );
  },
);

const limitsTexts = texts.limits;

/** The four thresholds as sentences; a missing one is named, because the customer cannot consent without it. */
function Limits({ policy }: { policy: AutomationPolicy }) {
  const { asset, single_tx_limit: single, cumulative_limit: cap, validity_window: window } = policy;
  const allowed = policy.allowlist ?? [];
  return (
    <section className="card stack" aria-labelledby="limits-title">
      <h2 id="limits-title">{limitsTexts.title}</h2>
      <ul className="plain-list">
        <li>{single === null ? limitsTexts.missing.single : limitsTexts.single(`${single} ${asset}`)}</li>
        <li>{cap === null ? limitsTexts.missing.cumulative : limitsTexts.cumulative(`${cap} ${asset}`)}</li>
        <li>
          {window === null ? (
            limitsTexts.missing.window
          ) : (
            <>
              {limitsTexts.window}
              <Facts
                facts={[
                  [limitsTexts.from, <Moment key="from">{window.from}</Moment>],
                  [limitsTexts.until, <Moment key="until">{window.until}</Moment>],
                ]}
              />
            </>
          )}
        </li>
        <li>
          {allowed.length === 0 ? limitsTexts.missing.payees : limitsTexts.payees}
          <ul className="plain-list">
            {allowed.map((entry) => (
              <li key={JSON.stringify(entry)}>
                <Payee entry={entry} policy={policy} />
              </li>
            ))}
          </ul>
        </li>
      </ul>
      <p className="soft">{limitsTexts.moved}</p>
    </section>
  );
}

function Payee({ entry, policy }: { entry: AllowlistEntry; policy: AutomationPolicy }) {
  if (entry.address !== undefined)
    return (
      <div className="stack-tight">
        <span>{limitsTexts.address}</span>
        <Address>{entry.address}</Address>
        {entry.memo === undefined ? null : (
          <span>
            {limitsTexts.memo}: <ForeignText inline>{entry.memo}</ForeignText>
          </span>
        )}
      </div>
    );
  const payee = policy.allowed_payees?.find(({ recipient_id }) => recipient_id === entry.recipient_id);
  if (payee === undefined)
    return (
      <span>
        {limitsTexts.payee} <code>{entry.recipient_id}</code>
      </span>
    );
  return (
    <div className="stack-tight">
      <span>
        <ForeignText inline>{payee.name}</ForeignText>
        {payee.domain === null ? null : `, ${limitsTexts.domain} ${payee.domain}`}
      </span>
      <Address>{payee.address}</Address>
      {payee.memo === null ? null : (
        <span>
          {limitsTexts.memo}: <ForeignText inline>{payee.memo}</ForeignText>
        </span>
      )}
    </div>
  );
}
