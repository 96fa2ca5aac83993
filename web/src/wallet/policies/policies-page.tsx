import { addDecimals } from '@payassent/protocol';
import type { AutomationPolicy, AutomationPolicyStatus } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { policies } from '../../texts/wallet.ts';
import { Facts } from '../../ui/facts.tsx';
import { PartyName } from '../../ui/foreign-text.tsx';
import { Badge, EmptyState, Note, type Tone } from '../../ui/notes.tsx';
import { percentOf } from '../../ui/numbers.ts';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { connectionsQuery } from '../connections/queries.ts';
import { CutNote } from '../cut-note.tsx';
import { useWallet } from '../session/session.tsx';
import { hasProposal, policiesQuery } from './queries.ts';

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
      <Link className="button" data-kind={isProposed ? 'main' : 'usual'} href={`/policies/${policy.id}`}>
        {isProposed ? policies.review : policies.open}
      </Link>
    </article>
  );
}

const TONES: Record<AutomationPolicyStatus, Tone> = {
  draft: 'accent',
  active: 'good',
  paused: 'warn',
  expired: 'plain',
  revoked: 'plain',
};

export function PolicyBadge({ status }: { status: AutomationPolicyStatus }) {
  return <Badge tone={TONES[status]}>{policies.status[status]}</Badge>;
}

/** In percent: only the drawing is rounded, never the numbers next to it. */
const WIDTH = 100;

export function UsageBar({ policy }: { policy: AutomationPolicy }) {
  const { usage, cumulative_limit, asset } = policy;
  if (cumulative_limit === null) return null;
  const spent = percentOf(usage.spent, cumulative_limit);
  const used = percentOf(addDecimals(usage.spent, usage.reserved), cumulative_limit);
  const label = policies.usage.label(
    `${addDecimals(usage.spent, usage.reserved)} ${asset}`,
    `${cumulative_limit} ${asset}`,
  );
  return (
    <div className="stack-tight">
      <svg
        className="usage"
        viewBox={`0 0 ${WIDTH} 14`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        <rect className="usage-reserved" width={used} height={14} />
        <rect className="usage-spent" width={spent} height={14} />
      </svg>
      <Facts
        facts={[
          [policies.usage.spent, `${usage.spent} ${asset}`],
          [policies.usage.reserved, `${usage.reserved} ${asset}`],
          usage.remaining === null ? null : [policies.usage.remaining, `${usage.remaining} ${asset}`],
        ]}
      />
    </div>
  );
}
