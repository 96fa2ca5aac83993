import type { AutomationPolicy } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { policies } from '../../texts/wallet.ts';
import { EmptyState, Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { PartyName } from '../../ui/party-name.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { connectionsQuery } from '../connections/queries.ts';
import { CutNote } from '../lists/cut-note.tsx';
import { useWallet } from '../session/session.tsx';
import { PolicyBadge } from './policy-badge.tsx';
import { hasProposal } from './proposed-payees.tsx';
import { policiesQuery } from './queries.ts';
import { UsageBar } from './usage-bar.tsx';

export function PoliciesPage() {
  const query = useQuery(policiesQuery(useWallet()));
  return (
    <Page title={policies.title}>
      <p>{policies.intro}</p>
      <QueryView query={query}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState title={policies.emptyTitle}>{policies.empty}</EmptyState>
          ) : (
            <>
              <CutNote count={all.length} />
              <ul className="wallet-list">
                {all.map((policy) => (
                  <li key={policy.id}>
                    <PolicyRow policy={policy} />
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </QueryView>
    </Page>
  );
}

function PolicyRow({ policy }: { policy: AutomationPolicy }) {
  const connections = useQuery(connectionsQuery(useWallet())).data;
  const agent = connections?.find(({ connection_id }) => connection_id === policy.connection_id)?.agent;
  const isProposed = policy.status === 'draft' || hasProposal(policy);
  return (
    <article className="card stack" aria-label={policies.reviewTitle}>
      <div className="row-between wallet-name">
        <h2>{agent === undefined ? policies.reviewTitle : <PartyName inline>{agent.name}</PartyName>}</h2>
        <PolicyBadge status={policy.status} />
      </div>
      {hasProposal(policy) ? <Note kind="warn">{policies.proposed.note}</Note> : null}
      <UsageBar policy={policy} />
      <div>
        <Link className="button" data-kind={isProposed ? 'main' : 'usual'} href={`/policies/${policy.id}`}>
          {isProposed ? policies.review : policies.open}
        </Link>
      </div>
    </article>
  );
}
