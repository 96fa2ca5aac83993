import { type ConnectInvitation, type PairingSession, SCOPES, type Scope } from '@payassent/sdk';
import { useId, useState } from 'react';
import { invitations, scopeTexts } from '../../texts/wallet.ts';
import { Problem, useAction } from '../../ui/action.tsx';
import { Button } from '../../ui/button.tsx';
import { Facts, Moment } from '../../ui/facts.tsx';
import { PartyName } from '../../ui/foreign-text.tsx';
import { Badge, Note } from '../../ui/notes.tsx';

type Requester = Pick<
  ConnectInvitation & PairingSession,
  'agent' | 'merchant' | 'requested_scopes' | 'expires_at'
>;

interface RequesterReviewProps {
  requester: Requester;
  onApprove(scopes: Scope[]): Promise<void>;
  onReject(): Promise<void>;
}

/** Who asks, for whom, and for what, before anybody is connected. */
export function RequesterReview({ requester, onApprove, onReject }: RequesterReviewProps) {
  const [scopes, setScopes] = useState<Scope[]>(requester.requested_scopes);
  const [what, setWhat] = useState<'approve' | 'reject'>();
  const { isBusy, error, run } = useAction();
  const decide = (choice: 'approve' | 'reject', act: () => Promise<void>) => {
    setWhat(choice);
    void run(act);
  };
  return (
    <section className="card stack" aria-label={invitations.title}>
      <RequesterFacts requester={requester} />
      <ScopeChoices requested={requester.requested_scopes} chosen={scopes} onChange={setScopes} />
      <Note>{invitations.never}</Note>
      {scopes.length === 0 ? <Note kind="warn">{invitations.needsOne}</Note> : null}
      <Problem error={error} />
      <div className="row">
        <Button
          kind="main"
          size="large"
          isBusy={isBusy && what === 'approve'}
          disabled={scopes.length === 0 || isBusy}
          onClick={() => decide('approve', () => onApprove(scopes))}
        >
          {invitations.approve}
        </Button>
        <Button
          kind="danger"
          size="large"
          isBusy={isBusy && what === 'reject'}
          disabled={isBusy}
          onClick={() => decide('reject', onReject)}
        >
          {invitations.reject}
        </Button>
      </div>
    </section>
  );
}

function RequesterFacts({ requester: { agent, merchant, expires_at } }: { requester: Requester }) {
  const { verified_domain } = merchant;
  return (
    <div className="stack-tight">
      <Facts
        facts={[
          [
            invitations.domain,
            verified_domain === null ? (
              <Badge tone="warn" key="none">
                {invitations.unverified}
              </Badge>
            ) : (
              <span className="row" key="domain">
                <strong className="mono">{verified_domain}</strong>
                <Badge tone="good">{invitations.verified}</Badge>
              </span>
            ),
          ],
          [invitations.merchant, <PartyName key="merchant">{merchant.name}</PartyName>],
          [invitations.agent, <PartyName key="agent">{agent.name}</PartyName>],
          [invitations.runtime, <PartyName key="runtime">{agent.runtime}</PartyName>],
          [invitations.expires, <Moment key="expires">{expires_at}</Moment>],
        ]}
      />
      <span className="soft">{invitations.namesExplain}</span>
      {verified_domain === null ? <Note kind="warn">{invitations.unverifiedExplains}</Note> : null}
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

/** What the agent may do, in plain words; the user may grant less than was asked. */
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
