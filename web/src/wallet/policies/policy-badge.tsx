import type { AutomationPolicyStatus } from '@payassent/sdk';
import { policies } from '../../texts/wallet.ts';
import { Badge, type Tone } from '../../ui/notes.tsx';

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
