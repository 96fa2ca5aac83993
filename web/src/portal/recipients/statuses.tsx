import type { Recipient, RecipientVersion } from '@payassent/sdk';
import { recipientTexts } from '../../texts/portal/recipients.ts';
import { Badge } from '../../ui/notes.tsx';

const TONES = { draft: 'warn', active: 'good', suspended: 'bad', archived: 'plain' } as const;
const VERSION_TONES = { created: 'warn', verified: 'accent', active: 'good', superseded: 'plain' } as const;

export function RecipientStatus({ status }: { status: Recipient['status'] }) {
  return <Badge tone={TONES[status]}>{recipientTexts.statuses[status]}</Badge>;
}

export function VersionStatus({ status }: { status: RecipientVersion['status'] }) {
  return <Badge tone={VERSION_TONES[status]}>{recipientTexts.version.statuses[status]}</Badge>;
}
