import { networkRow } from '@payassent/protocol';
import type { AllowedPayee, AllowlistEntry, AutomationPolicy } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { policies, review } from '../../texts/wallet.ts';
import { Address, Facts, Moment } from '../../ui/facts.tsx';
import { ForeignText, PartyName } from '../../ui/foreign-text.tsx';
import { Badge } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { connectionsQuery } from '../connections/queries.ts';
import { useWallet } from '../session/session.tsx';
import { PolicyBadge, UsageBar } from './policies-page.tsx';
import { PolicyActions } from './policy-actions.tsx';
import { hasProposal, policyQuery } from './queries.ts';

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

const { sentence } = policies;

/** The limits as sentences, in the box of pinned facts: this is what the user accepts, word for word. */
function PolicyLimits({ policy }: { policy: AutomationPolicy }) {
  const { single_tx_limit, cumulative_limit, validity_window, asset, issuer } = policy;
  const network = networkRow(policy.network);
  return (
    <section className="pinned stack-tight" aria-labelledby="limits-title">
      <h2 id="limits-title">{policy.status === 'draft' ? sentence.heading : sentence.active}</h2>
      {cumulative_limit === null ? null : (
        <p className="policy-unasked" data-fact="unasked">
          {sentence.unasked(`${cumulative_limit} ${asset}`)}
        </p>
      )}
      {single_tx_limit === null ? null : (
        <p className="payee">{sentence.single(`${single_tx_limit} ${asset}`)}</p>
      )}
      {cumulative_limit === null ? null : (
        <p className="payee">{sentence.cumulative(`${cumulative_limit} ${asset}`)}</p>
      )}
      {validity_window === null ? null : (
        <p>
          {sentence.window} {sentence.from} <Moment>{validity_window.from}</Moment> {sentence.until}{' '}
          <Moment>{validity_window.until}</Moment>.
        </p>
      )}
      <p className="row">
        {sentence.network(network.title)}
        {network.isTestnet ? <Badge tone="warn">{review.pinned.testnet}</Badge> : null}
      </p>
      {issuer === null ? null : (
        <p>
          {sentence.issuer} <Address>{issuer}</Address>
        </p>
      )}
      <AllowedPayees policy={policy} />
    </section>
  );
}

function AllowedPayees({ policy }: { policy: AutomationPolicy }) {
  if (policy.allowlist === null || policy.allowlist.length === 0) return null;
  return (
    <>
      <p>
        <strong>{sentence.payees}</strong>
      </p>
      <ul className="wallet-list">
        {policy.allowlist.map((entry) => (
          <li key={JSON.stringify(entry)}>
            <AllowedEntry policy={policy} entry={entry} />
          </li>
        ))}
      </ul>
      <p className="soft">{sentence.pinned}</p>
    </>
  );
}

function AllowedEntry({ policy, entry }: { policy: AutomationPolicy; entry: AllowlistEntry }) {
  if (entry.address !== undefined)
    return (
      <div className="stack-tight">
        <span>{sentence.bare}</span>
        <Address>{entry.address}</Address>
        <span>
          {review.pinned.memo}:{' '}
          {entry.memo === undefined ? sentence.noMemo : <ForeignText inline>{entry.memo}</ForeignText>}
        </span>
      </div>
    );
  const payee = policy.allowed_payees?.find(({ recipient_id }) => recipient_id === entry.recipient_id);
  return payee === undefined ? <span>{sentence.missingPayee}</span> : <PinnedPayee payee={payee} />;
}

/** A Recipient in the version that the user accepts with it. */
function PinnedPayee({ payee }: { payee: AllowedPayee }) {
  return (
    <div className="stack-tight">
      <PartyName inline>{payee.name}</PartyName>
      <span className="mono">{payee.domain ?? review.pinned.noDomain}</span>
      <Address>{payee.address}</Address>
      {payee.memo === null ? null : (
        <span>
          {review.pinned.memo}: <ForeignText inline>{payee.memo}</ForeignText>
        </span>
      )}
    </div>
  );
}

const { proposed } = policies;

/** The payees as the next opt-in would accept them, next to those that are in force. */
function ProposedPayees({ policy }: { policy: AutomationPolicy }) {
  const inForce = new Set(policy.allowed_payees?.map((payee) => payee.recipient_version_id));
  return (
    <section className="pinned stack-tight" aria-labelledby="proposed-title">
      <h2 id="proposed-title">{proposed.title}</h2>
      <p>{proposed.text}</p>
      <ul className="wallet-list">
        {policy.proposed_payees?.map((payee) => (
          <li key={payee.recipient_version_id}>
            {inForce.has(payee.recipient_version_id) ? null : <Badge tone="warn">{proposed.isNew}</Badge>}
            <PinnedPayee payee={payee} />
          </li>
        ))}
      </ul>
    </section>
  );
}
