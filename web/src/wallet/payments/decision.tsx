import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { decision, progress, review } from '../../texts/wallet.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Note, Progress } from '../../ui/notes.tsx';
import { manualSigner } from '../signing/manual-signer.ts';
import { CannotSignError, type Signer } from '../signing/signer.ts';
import { chooseSigner } from '../signing/signers.ts';
import { type JournalEntry, journal } from '../storage/journal.ts';
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
      {holds ? <Surroundings payment={payment} approval={approval} /> : null}
      <div className="row">
        {holds ? <Approve payment={payment} approval={approval} /> : null}
        <Button kind="danger" size="large" disabled={approval.isBusy} onClick={() => setRejecting(true)}>
          {decision.reject}
        </Button>
      </div>
      <RejectDialog payment={payment} isOpen={isRejecting} onClose={() => setRejecting(false)} />
    </section>
  );
}

type ApproveProps = Omit<DecisionProps, 'holds'>;

function useSigner(payment: Payment) {
  return useQuery({ queryKey: ['signer', payment.key], queryFn: () => chooseSigner(payment) }).data;
}

/** What approving would do here, and what was said about it so far. */
function Surroundings({ payment, approval }: ApproveProps) {
  const chosen = useSigner(payment);
  const kept = useJournal(payment);
  if (chosen === undefined) return <Progress>{decision.looking}</Progress>;
  const { ability, declined } = chosen;
  return (
    <>
      {kept === undefined || kept === null ? null : (
        <Note kind="warn">
          <strong>{progress.interrupted.title}</strong>
          <span>{progress.interrupted.text}</span>
        </Note>
      )}
      <p>{ability.can === 'here' ? decision.approveHere : decision.approveElsewhere}</p>
      {ability.can === 'here' && ability.note ? <p>{ability.note}</p> : null}
      {declined.map((why) => (
        <p className="soft" key={why}>
          {why}
        </p>
      ))}
      {approval.error === undefined ? null : <ApprovalError error={approval.error} />}
    </>
  );
}

function Approve({ payment, approval }: ApproveProps) {
  const cache = useQueryClient();
  const chosen = useSigner(payment);
  const kept = useJournal(payment);
  if (chosen === undefined) return null;
  const approveWith = async (signer: Signer) => {
    await approval.run((tools) => approvePayment(tools, payment, signer));
    await cache.invalidateQueries({ queryKey: ['policies'] });
  };
  return (
    <>
      <Button kind="main" size="large" isBusy={approval.isBusy} onClick={() => approveWith(chosen.signer)}>
        {decision.approve(`${payment.facts.amount} ${payment.facts.asset}`)}
      </Button>
      {chosen.ability.can === 'here' && kept === null ? (
        <Button size="large" disabled={approval.isBusy} onClick={() => approveWith(manualSigner)}>
          {decision.payElsewhere}
        </Button>
      ) : null}
    </>
  );
}

export function ApprovalError({ error }: { error: unknown }) {
  if (error instanceof FactsChangedError) return <Note kind="bad">{review.broken.changed}</Note>;
  if (error instanceof CannotSignError) return <Note kind="bad">{error.message}</Note>;
  return <ErrorNote error={error} />;
}

/** What this device remembers about an approval of its own: null when nothing, undefined while it is being read. */
export function useJournal(payment: Payment): JournalEntry | null | undefined {
  return useQuery({
    queryKey: ['journal', payment.key],
    queryFn: async () => (await journal.read(payment)) ?? null,
  }).data;
}
