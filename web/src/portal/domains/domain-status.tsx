import type { Domain } from '@payassent/sdk';
import { domainTexts } from '../../texts/portal/domains.ts';
import { Badge } from '../../ui/notes.tsx';

const TONES = { pending: 'warn', verified: 'good', lapsed: 'bad' } as const;

export function DomainStatus({ status }: { status: Domain['status'] }) {
  return <Badge tone={TONES[status]}>{domainTexts.statuses[status]}</Badge>;
}
