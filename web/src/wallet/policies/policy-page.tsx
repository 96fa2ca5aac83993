import type { AutomationPolicy } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { policies } from '../../texts/wallet.ts';
import { Facts, Moment } from '../../ui/facts.tsx';
import { Page } from '../../ui/page.tsx';
import { PartyName } from '../../ui/party-name.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { connectionsQuery } from '../connections/queries.ts';
import { useWallet } from '../session/session.tsx';
import { PolicyActions } from './policy-actions.tsx';
import { PolicyBadge } from './policy-badge.tsx';
import { PolicyLimits } from './policy-limits.tsx';
import { hasProposal, ProposedPayees } from './proposed-payees.tsx';
import { policyQuery } from './queries.ts';
import { UsageBar } from './usage-bar.tsx';

export function PolicyPage({ policyId }: { policyId: string }) {
  const query = useQuery(policyQuery(useWallet(), policyId));
  return (
    <Page
      title={policies.reviewTitle}
      actions={
        <Link className="button" data-kind="plain" href="/policies">
          {policies.back}
        </Link>
      }
    >
      <QueryView query={query}>{(policy) => <PolicyView policy={policy} />}</QueryView>
    </Page>
  );
}

function PolicyView({ policy }: { policy: AutomationPolicy }) {
  const connections = useQuery(connectionsQuery(useWallet())).data;
  const agent = connections?.find(({ connection_id }) => connection_id === policy.connection_id)?.agent;
  return (
    <>
      <div className="row">
        <PolicyBadge status={policy.status} />
      </div>
      {agent === undefined ? null : (
        <Facts
          facts={[
            [policies.agent, <PartyName key="agent">{agent.name}</PartyName>],
            policy.opted_in_at === null
              ? null
              : [policies.optIn.since, <Moment key="since">{policy.opted_in_at}</Moment>],
          ]}
        />
      )}
      <PolicyLimits policy={policy} />
      {hasProposal(policy) ? <ProposedPayees policy={policy} /> : null}
      {policy.status === 'draft' && policy.usage.spent === '0' && policy.usage.reserved === '0' ? null : (
        <section className="card stack" aria-labelledby="usage-title">
          <h2 id="usage-title">{policies.usage.title}</h2>
          <UsageBar policy={policy} />
        </section>
      )}
      <PolicyActions policy={policy} />
    </>
  );
}
