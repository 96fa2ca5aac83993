import type { Agent, Credential } from '@payassent/sdk';
import { agentTexts, keyTexts } from '../../texts/portal/agents.ts';
import { Badge } from '../../ui/notes.tsx';

const TONES = { pending: 'warn', active: 'good', suspended: 'warn', revoked: 'bad' } as const;
const KEY_TONES = { pending_proof: 'warn', active: 'good', revoked: 'plain', expired: 'plain' } as const;

export function AgentStatus({ status }: { status: Agent['status'] }) {
  return <Badge tone={TONES[status]}>{agentTexts.statuses[status]}</Badge>;
}

export function KeyStatus({ status }: { status: Credential['status'] }) {
  return <Badge tone={KEY_TONES[status]}>{keyTexts.statuses[status]}</Badge>;
}
