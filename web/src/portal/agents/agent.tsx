import { type Agent, type Credential, SCOPES, type Scope } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { use } from 'react';
import { agentTexts, keyTexts } from '../../texts/portal/agents.ts';
import { fieldError } from '../../ui/error-note.tsx';
import { CheckboxField, FormError } from '../../ui/fields.tsx';
import { Badge } from '../../ui/notes.tsx';
import { merchantClient } from '../client.ts';

export function useAgent(id: string) {
  return useQuery({
    queryKey: ['agents', id],
    queryFn: ({ signal }) => merchantClient.agents.get(id, { signal }),
  });
}

/** The newest keys of an agent. A working key is missing only if a hundred newer ones exist. */
export function useCredentials(agentId: string) {
  return useQuery({
    queryKey: ['agents', agentId, 'credentials'],
    queryFn: ({ signal }) => merchantClient.agents.credentials.list(agentId, { limit: 100 }, { signal }),
  });
}

const TONES = { pending: 'warn', active: 'good', suspended: 'warn', revoked: 'bad' } as const;
const KEY_TONES = { pending_proof: 'warn', active: 'good', revoked: 'plain', expired: 'plain' } as const;

export function AgentStatus({ status }: { status: Agent['status'] }) {
  return <Badge tone={TONES[status]}>{agentTexts.statuses[status]}</Badge>;
}

export function KeyStatus({ status }: { status: Credential['status'] }) {
  return <Badge tone={KEY_TONES[status]}>{keyTexts.statuses[status]}</Badge>;
}

interface ScopeFieldsProps {
  scopes: readonly Scope[];
  onChange(scopes: readonly Scope[]): void;
}

/** Each scope in words that need no knowledge of the reference. */
export function ScopeFields({ scopes, onChange }: ScopeFieldsProps) {
  const error = fieldError(use(FormError), 'allowed_scopes');
  const toggle = (scope: Scope, isOn: boolean) =>
    onChange(SCOPES.filter((known) => (known === scope ? isOn : scopes.includes(known))));
  return (
    <fieldset className="stack" name="allowed_scopes">
      <legend>{agentTexts.form.scopes}</legend>
      <p className="field-hint">{agentTexts.form.scopesHint}</p>
      {SCOPES.map((scope) => (
        <CheckboxField
          key={scope}
          label={agentTexts.scopes[scope].title}
          hint={agentTexts.scopes[scope].text}
          checked={scopes.includes(scope)}
          onValue={(isOn) => toggle(scope, isOn)}
        />
      ))}
      {error === undefined ? null : <p className="field-error">{error}</p>}
    </fieldset>
  );
}
