import { AUTOMATION_POLICY_STATUSES } from '@payassent/protocol';
import type { AutomationPolicy } from '@payassent/sdk';
import { Link } from 'wouter';
import { policies as texts } from '../../texts/portal/policies.ts';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { merchantClient } from '../client.ts';
import { CALM_MS } from '../parts/intervals.ts';
import { PageSteps, usePages } from '../parts/pages.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { StatusFilter } from '../parts/status-filter.tsx';
import { useUrlFilter } from '../parts/url-filter.ts';
import { Consent } from './consent.tsx';
import { UsageMeter } from './usage-meter.tsx';

export function PoliciesPage() {
  const [status, setStatus] = useUrlFilter('status', AUTOMATION_POLICY_STATUSES);
  const pages = usePages({
    key: ['policies', 'list', status ?? null],
    read: (cursor, signal) =>
      merchantClient.policies.list(
        { limit: 20, ...(status === undefined ? {} : { status }), ...cursor },
        { signal },
      ),
    next: (page) => page.next_cursor,
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
            <NoPolicies isFiltered={status !== undefined} />
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

function NoPolicies({ isFiltered }: { isFiltered: boolean }) {
  const action = (
    <Link className="button" href="/access">
      {texts.empty.action}
    </Link>
  );
  return (
    <EmptyState title={texts.empty.title} action={isFiltered ? undefined : action}>
      {isFiltered ? texts.empty.filtered : texts.empty.text}
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
