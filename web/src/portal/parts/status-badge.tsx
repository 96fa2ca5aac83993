import { statusWords } from '../../texts/portal/status.ts';
import { Badge, type Tone } from '../../ui/notes.tsx';

const TONES: Record<string, Tone> = {
  pending: 'warn',
  pending_verification: 'warn',
  intent_created: 'warn',
  paused: 'warn',
  draft: 'warn',
  signed: 'accent',
  broadcasted: 'accent',
  confirmed: 'good',
  active: 'good',
  delivered: 'good',
  failed: 'bad',
};

export function StatusBadge({ status }: { status: string }) {
  return <Badge tone={TONES[status] ?? 'plain'}>{statusWord(status)}</Badge>;
}

export function statusWord(status: string): string {
  return statusWords[status] ?? status;
}
