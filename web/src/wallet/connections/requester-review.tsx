import { type ConnectInvitation, type PairingSession, SCOPES, type Scope } from '@payassent/sdk';
import { useId, useState } from 'react';
import { decision, invitations, scopeTexts } from '../../texts/wallet.ts';
import { Problem, useAction } from '../../ui/action.tsx';
import { Button } from '../../ui/button.tsx';
import { Facts, Moment } from '../../ui/facts.tsx';
import { PartyName } from '../../ui/foreign-text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Badge, Note } from '../../ui/notes.tsx';
import { Avatar } from '../avatar.tsx';
import { DomainName } from '../payments/domain-name.tsx';
import '../payments/sheet.css';

type Requester = Pick<
  ConnectInvitation & PairingSession,
  'agent' | 'merchant' | 'requested_scopes' | 'expires_at'
>;

interface RequesterReviewProps {
  requester: Requester;
  onApprove(scopes: Scope[]): Promise<void>;
  onReject(): Promise<void>;
}

/** Who requests the connection, for whom, and for what, before anyone is connected: laid out like a payment request. */
export function RequesterReview({ requester, onApprove, onReject }: RequesterReviewProps) {
  const [scopes, setScopes] = useState<Scope[]>(requester.requested_scopes);
  const [what, setWhat] = useState<'approve' | 'reject'>();
  const { isBusy, error, run } = useAction();
  const decide = (choice: 'approve' | 'reject', act: () => Promise<void>) => {
    setWhat(choice);
    void run(act);
  };
  return (
    <>
      <RequesterSheet requester={requester} scopes={scopes} onScopes={setScopes} />
      {requester.merchant.verified_domain === null ? (
        <Note kind="warn">{invitations.unverifiedExplains}</Note>
      ) : null}
      {scopes.length === 0 ? <Note kind="warn">{invitations.needsOne}</Note> : null}
      <section className="decision-bar" aria-label={decision.title}>
        <Problem error={error} />
        <div className="decision-buttons">
          <Button
            kind="danger"
            size="large"
            isBusy={isBusy && what === 'reject'}
            disabled={isBusy}
            onClick={() => decide('reject', onReject)}
          >
            {invitations.reject}
          </Button>
          <Button
            kind="main"
            size="large"
            isBusy={isBusy && what === 'approve'}
            disabled={scopes.length === 0 || isBusy}
            onClick={() => decide('approve', () => onApprove(scopes))}
          >
            {invitations.approve}
          </Button>
        </div>
      </section>
    </>
  );
}

interface SheetProps {
  requester: Requester;
  scopes: readonly Scope[];
  onScopes(scopes: Scope[]): void;
}

function RequesterSheet({ requester, scopes, onScopes }: SheetProps) {
  const { agent, merchant, expires_at, requested_scopes } = requester;
  return (
    <section className="pinned sheet" aria-label={invitations.title}>
      <div className="sheet-agent">
        <Avatar id={agent.agent_id} />
        <p>
          <span className="sheet-clamp">
            <PartyName inline>{agent.name}</PartyName>
          </span>{' '}
          <span className="soft">{invitations.wants}</span>
        </p>
      </div>
      <Merchant merchant={merchant} />
      {invitations.means.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <details className="sheet-details">
        <summary>{invitations.rights(scopes.length, requested_scopes.length)}</summary>
        <ScopeChoices requested={requested_scopes} chosen={scopes} onChange={onScopes} />
        <Facts
          facts={[
            [invitations.runtime, <PartyName key="runtime">{agent.runtime}</PartyName>],
            [invitations.expires, <Moment key="expires">{expires_at}</Moment>],
          ]}
        />
      </details>
    </section>
  );
}

/** The domain was verified, so it is large; the name was freely chosen, so it is small. */
function Merchant({ merchant: { name, verified_domain: domain } }: { merchant: Requester['merchant'] }) {
  return (
    <div className="sheet-payee" data-proof={domain === null ? 'none' : 'stated'}>
      <Icon name={domain === null ? 'question' : 'shield'} />
      <div>
        {domain === null ? (
          <Badge tone="warn">{invitations.unverified}</Badge>
        ) : (
          <>
            <DomainName>{domain}</DomainName>
            <p className="sheet-small">{invitations.domain}</p>
          </>
        )}
        <p className="sheet-name">
          {invitations.merchant}{' '}
          <span className="sheet-clamp">
            <PartyName inline>{name}</PartyName>
          </span>
        </p>
        <p className="sheet-small">{invitations.namesExplain}</p>
      </div>
    </div>
  );
}

export function ScopeList({ scopes }: { scopes: readonly Scope[] }) {
  return (
    <ul className="plain-list">
      {scopes.map((scope) => (
        <li key={scope}>{scopeTexts[scope].does}</li>
      ))}
    </ul>
  );
}

interface ScopeChoicesProps {
  requested: readonly Scope[];
  chosen: readonly Scope[];
  onChange(scopes: Scope[]): void;
}

/** The scopes in plain words; the customer may grant fewer than requested. */
function ScopeChoices({ requested, chosen, onChange }: ScopeChoicesProps) {
  const id = useId();
  const toggle = (scope: Scope, isOn: boolean) =>
    onChange(SCOPES.filter((one) => (one === scope ? isOn : chosen.includes(one))));
  return (
    <fieldset className="plain-fieldset stack-tight">
      <legend>
        <strong>{invitations.asks}</strong>
      </legend>
      {SCOPES.filter((scope) => requested.includes(scope)).map((scope) => (
        <div className="choice-row" key={scope}>
          <input
            type="checkbox"
            id={`${id}-${scope}`}
            aria-describedby={`${id}-${scope}-means`}
            checked={chosen.includes(scope)}
            onChange={(event) => toggle(scope, event.target.checked)}
          />
          <div className="stack-tight">
            <label htmlFor={`${id}-${scope}`}>{scopeTexts[scope].does}</label>
            <span className="soft" id={`${id}-${scope}-means`}>
              {scopeTexts[scope].means}
            </span>
          </div>
        </div>
      ))}
      <span className="soft">{invitations.choose}</span>
    </fieldset>
  );
}
