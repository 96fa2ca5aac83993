import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { decision, progress, review } from '../../texts/wallet.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Note, Progress } from '../../ui/notes.tsx';
import { chooseSigner } from '../signing/signers.ts';
import { journal } from '../storage/journal.ts';
import { approvePayment, FactsChangedError } from './approval.ts';
import type { Payment } from './payment.ts';
import { RejectDialog } from './reject-dialog.tsx';
import type { ApprovalRun } from './use-approval.ts';

interface DecisionProps {
  payment: Payment;
  holds: boolean;
  approval: ApprovalRun;
}

/** Yes or no. Without facts that hold there is no yes. */
export function Decision({ payment, holds, approval }: DecisionProps) {
  const [isRejecting, setRejecting] = useState(false);
  return (
    <section className="card stack" aria-labelledby="decision-title">
      <h2 id="decision-title">{decision.title}</h2>
      {holds ? (
        <Approve payment={payment} approval={approval} />
      ) : (
        <Note kind="bad">{review.broken.title}</Note>
      )}
      <div className="row">
        <Button kind="danger" size="large" onClick={() => setRejecting(true)}>
          {decision.reject}
        </Button>
      </div>
      <RejectDialog payment={payment} isOpen={isRejecting} onClose={() => setRejecting(false)} />
    </section>
  );
}

function Approve({ payment, approval }: Omit<DecisionProps, 'holds'>) {
  const cache = useQueryClient();
  const chosen = useQuery({ queryKey: ['signer', payment.key], queryFn: () => chooseSigner(payment) }).data;
  const kept = useJournal(payment);
  if (chosen === undefined) return <Progress>{decision.title}</Progress>;
  const approve = async () => {
    await approval.run((tools) => approvePayment(tools, payment, chosen.signer));
    await cache.invalidateQueries({ queryKey: ['policies'] });
  };
  return (
    <div className="stack">
      {kept === undefined ? null : (
        <Note kind="warn">
          <strong>{progress.interrupted.title}</strong>
          <span>{progress.interrupted.text}</span>
        </Note>
      )}
      {chosen.declined.map((why) => (
        <p className="soft" key={why}>
          {why}
        </p>
      ))}
      <p>{chosen.ability.can === 'here' ? decision.approveHere : decision.approveElsewhere}</p>
      {chosen.ability.can === 'here' && chosen.ability.note ? <p>{chosen.ability.note}</p> : null}
      {approval.error === undefined ? null : <ApprovalError error={approval.error} />}
      <div className="row">
        <Button kind="main" size="large" isBusy={approval.isBusy} onClick={approve}>
          {decision.approve(`${payment.facts.amount} ${payment.facts.asset}`)}
        </Button>
      </div>
    </div>
  );
}

export function ApprovalError({ error }: { error: unknown }) {
  if (error instanceof FactsChangedError) return <Note kind="bad">{review.broken.changed}</Note>;
  return <ErrorNote error={error} />;
}

/** What this device remembers about an approval of its own. */
export function useJournal(payment: Payment) {
  const query = useQuery({
    queryKey: ['journal', payment.key],
    queryFn: async () => (await journal.read(payment)) ?? null,
  });
  return query.data ?? undefined;
}
