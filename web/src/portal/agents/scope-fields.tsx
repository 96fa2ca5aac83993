import { SCOPES, type Scope } from '@payassent/sdk';
import { agentTexts } from '../../texts/portal/agents.ts';
import { CheckboxField } from '../../ui/fields.tsx';

interface ScopeFieldsProps {
  scopes: readonly Scope[];
  onChange(scopes: readonly Scope[]): void;
  error: string | undefined;
}

/** Each right in words that somebody who never read the reference understands. */
export function ScopeFields({ scopes, onChange, error }: ScopeFieldsProps) {
  const toggle = (scope: Scope, isOn: boolean) =>
    onChange(SCOPES.filter((known) => (known === scope ? isOn : scopes.includes(known))));
  return (
    <fieldset className="stack">
      <legend>{agentTexts.form.scopes}</legend>
      <p className="field-hint">{agentTexts.form.scopesHint}</p>
      {SCOPES.map((scope) => (
        <CheckboxField
          key={scope}
          label={agentTexts.scopes[scope].title}
          hint={agentTexts.scopes[scope].body}
          checked={scopes.includes(scope)}
          onChange={(event) => toggle(scope, event.target.checked)}
        />
      ))}
      {error === undefined ? null : <p className="field-error">{error}</p>}
    </fieldset>
  );
}
