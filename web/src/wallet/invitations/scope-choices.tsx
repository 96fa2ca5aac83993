import { SCOPES, type Scope } from '@payassent/sdk';
import { useId } from 'react';
import { invitations, scopeTexts } from '../../texts/wallet.ts';

interface ScopeChoicesProps {
  requested: readonly Scope[];
  chosen: readonly Scope[];
  onChange(scopes: Scope[]): void;
}

/** What the agent may do, in plain words; the user may grant less than was asked. */
export function ScopeChoices({ requested, chosen, onChange }: ScopeChoicesProps) {
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
