import { useQuery } from '@tanstack/react-query';
import { policies } from '../../texts/wallet.ts';
import { ActionButton } from '../../ui/action-buttons.tsx';
import { refresh } from '../../ui/queries.ts';
import type { Payment } from '../payments/payment.ts';
import { useWallet } from '../session/session.tsx';
import { changeAccepted, leftUnder, readAccepted } from './accepted-policies.ts';

/** Next to a payment that this device made automatically: the rest of the cap, and a button to pause. */
export function PaidAutomatically({ payment }: { payment: Payment }) {
  const accepted = useQuery({ queryKey: ['accepted-policies'], queryFn: readAccepted }).data;
  const policy = payment.policyId === undefined ? undefined : accepted?.[payment.policyId];
  if (policy === undefined || policy.paid[payment.key] === undefined || payment.status === 'pending')
    return null;
  return (
    <div className="row" data-fact="paid-automatically">
      <span className="soft">{policies.automatic.paid(leftUnder(policy), policy.asset)}</span>
      {policy.isPaused ? <span className="soft">{policies.automatic.paused}</span> : <Pause id={policy.id} />}
    </div>
  );
}

/** Pauses first on this device, which then pays nothing more even if the service fails. */
function Pause({ id }: { id: string }) {
  const client = useWallet();
  const pause = async () => {
    await changeAccepted(id, (policy) => policy && { ...policy, isPaused: true });
    await refresh('accepted-policies');
    await client.policies.pause(id);
    await refresh('policies');
  };
  return (
    <ActionButton kind="plain" run={pause}>
      {policies.automatic.pause}
    </ActionButton>
  );
}
