import { AUTOMATION_POLICY_STATUSES } from '@payassent/protocol';
import type { AutomationPolicy } from '@payassent/sdk';
import { Link } from 'wouter';
import { policies as texts } from '../../texts/portal/policies.ts';
import { Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { percentOf, percentWords } from '../../ui/numbers.ts';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { merchantClient } from '../client.ts';
import { NoMatch, PageSteps, StatusBadge, StatusFilter, usePages, useUrlFilter } from '../parts/lists.tsx';
import { CALM_MS } from '../parts/live.tsx';
import '../parts/parts.css';

export function PoliciesPage() {
  const [status, setStatus] = useUrlFilter('status', AUTOMATION_POLICY_STATUSES);
  const pages = usePages({
    key: ['policies', 'list', status ?? null],
    read: (cursor, signal) =>
      merchantClient.policies.list(
        { limit: 20, ...(status === undefined ? {} : { status }), ...cursor },
        { signal },
      ),
    everyMs: CALM_MS,
  });
  const payments = (
    <Link className="button" href="/policies/payments">
      {texts.payments}
    </Link>
  );
  return (
    <Page title={texts.title} actions={payments}>
      <p className="soft">{texts.lead}</p>
      <StatusFilter
        label={texts.filter}
        statuses={AUTOMATION_POLICY_STATUSES}
        value={status}
        onChange={setStatus}
      />
      <QueryView query={pages.query}>
        {(page) =>
          page.items.length === 0 ? (
            status === undefined ? (
              <NoPolicies />
            ) : (
              <NoMatch pages={pages} />
            )
          ) : (
            <div className="stack">
              <div className="columns">
                {page.items.map((policy) => (
                  <PolicyCard key={policy.id} policy={policy} />
                ))}
              </div>
              <PageSteps pages={pages} />
            </div>
          )
        }
      </QueryView>
    </Page>
  );
}

function NoPolicies() {
  const action = (
    <Link className="button" href="/access">
      {texts.empty.action}
    </Link>
  );
  return (
    <EmptyState title={texts.empty.title} action={action}>
      {texts.empty.text}
    </EmptyState>
  );
}

function PolicyCard({ policy }: { policy: AutomationPolicy }) {
  return (
    <article className="card stack" aria-label={policy.id}>
      <div className="row-between">
        <h2>
          <ForeignText inline>{texts.name(policy.asset, policy.network)}</ForeignText>
        </h2>
        <StatusBadge status={policy.status} />
      </div>
      <Consent policy={policy} />
      <UsageMeter policy={policy} />
      <div className="row-between">
        <code className="soft">{policy.id}</code>
        <Link href={`/policies/${policy.id}`}>{texts.open}</Link>
      </div>
    </article>
  );
}

const consentTexts = texts.consent;

/** Whether the customer consented to the policy as shown. Without consent no agent payment is made. */
export function Consent({ policy }: { policy: AutomationPolicy }) {
  const { status, opted_in_at: agreedAt } = policy;
  return (
    <p className="soft">
      {status === 'draft' ? consentTexts.draft : null}
      {status === 'expired' || status === 'revoked' || status === 'paused'
        ? `${consentTexts[status]} `
        : null}
      {status !== 'draft' && agreedAt !== null ? (
        <>
          {consentTexts.agreed} <Moment>{agreedAt}</Moment>
        </>
      ) : null}
    </p>
  );
}

const usageTexts = texts.usage;

/** The cap as a bar: paid, under way, left. The text next to it has the exact figures. */
export function UsageMeter({ policy }: { policy: AutomationPolicy }) {
  const { asset, cumulative_limit: cap, usage } = policy;
  if (cap === null) return <p className="soft">{usageTexts.noCap}</p>;
  const spent = percentOf(usage.spent, cap);
  const reserved = Math.min(percentOf(usage.reserved, cap), 100 - spent);
  return (
    <div className="stack-tight">
      <div className="row-between">
        <strong>{usageTexts.title}</strong>
        <span>
          {cap} {asset}
        </span>
      </div>
      <div className="meter" aria-hidden="true">
        <span data-part="spent" style={{ width: `${spent}%` }} />
        <span data-part="reserved" style={{ width: `${reserved}%` }} />
      </div>
      <p className="row">
        <Part part="spent" name={usageTexts.spent} amount={usage.spent} asset={asset} />
        <Part part="reserved" name={usageTexts.reserved} amount={usage.reserved} asset={asset} />
        <Part part="remaining" name={usageTexts.remaining} amount={usage.remaining ?? '0'} asset={asset} />
      </p>
      <p className="visually-hidden">{usageTexts.share(percentWords((spent + reserved) / 100))}</p>
    </div>
  );
}

function Part({ part, name, amount, asset }: { part: string; name: string; amount: string; asset: string }) {
  return (
    <span className="row">
      <span className="key" data-part={part} aria-hidden="true" />
      {name}: {amount} {asset}
    </span>
  );
}
