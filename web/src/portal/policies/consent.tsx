import type { AutomationPolicy } from '@payassent/sdk';
import { policies } from '../../texts/portal/policies.ts';
import { Moment } from '../../ui/facts.tsx';

const texts = policies.consent;

/** Whether the user agreed to what stands here. Without consent nothing is paid. */
export function Consent({ policy }: { policy: AutomationPolicy }) {
  const { status, opted_in_at: agreedAt } = policy;
  return (
    <p className="soft">
      {status === 'draft' ? texts.draft : null}
      {status === 'expired' || status === 'revoked' || status === 'paused' ? `${texts[status]} ` : null}
      {status !== 'draft' && agreedAt !== null ? (
        <>
          {texts.agreed} <Moment>{agreedAt}</Moment>
        </>
      ) : null}
    </p>
  );
}
