import type { AutomationPolicy } from '@payassent/sdk';
import { policies } from '../../texts/wallet.ts';
import { Badge } from '../../ui/notes.tsx';
import { PinnedPayee } from './policy-limits.tsx';

const { proposed } = policies;

export function hasProposal(policy: AutomationPolicy): boolean {
  const isOpen = policy.status === 'active' || policy.status === 'paused';
  return isOpen && (policy.proposed_payees ?? []).length > 0;
}

/** The payees as the next opt-in would accept them, beside those that are in force. */
export function ProposedPayees({ policy }: { policy: AutomationPolicy }) {
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
