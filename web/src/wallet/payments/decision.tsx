import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { decision, decisionKeys, progress } from '../../texts/wallet.ts';
import { Button } from '../../ui/button.tsx';
import { Note, Progress } from '../../ui/notes.tsx';
import { useDecisionKey } from '../decisions/queries.ts';
import { speaksAgainst } from '../log/payee-check.tsx';
import { usePayeeCheck } from '../log/queries.ts';
import { manualSigner } from '../signing/manual-signer.ts';
import type { Signer } from '../signing/signer.ts';
import { chooseSigner } from '../signing/signers.ts';
import { type JournalEntry, journal } from '../storage/journal.ts';
import { approvePayment } from './approval.ts';
import { ApprovalError } from './approval-error.tsx';
import { isTooMuch, type Payment } from './payment.ts';
import { RejectDialog } from './reject-dialog.tsx';
import type { ApprovalRun } from './use-approval.ts';

interface DecisionProps {
  payment: Payment;
  approval: ApprovalRun;
}

/** Yes or no, on facts that hold: of others there is nothing that could be signed. */
export function Decision({ payment, approval }: DecisionProps) {
  const [isRejecting, setRejecting] = useState(false);
  const key = useDecisionKey().data;
  if (key?.held === undefined && key?.request !== undefined) return <CannotDecide />;
  return (
    <section className="card stack" aria-labelledby="decision-title">
      <h2 id="decision-title">{decision.title}</h2>
      {isTooMuch(payment) ? null : <Surroundings payment={payment} approval={approval} />}
      <div className="row">
        {isTooMuch(payment) ? null : <Approve payment={payment} approval={approval} />}
        <Button kind="danger" size="large" disabled={approval.isBusy} onClick={() => setRejecting(true)}>
          {decision.reject}
        </Button>
      </div>
      <RejectDialog payment={payment} isOpen={isRejecting} onClose={() => setRejecting(false)} />
    </section>
  );
}

/** Another device has to vouch for this one first; the service would refuse whatever is said here. */
function CannotDecide() {
  return (
    <Note kind="warn">
      <strong>{decisionKeys.waiting.short}</strong>
      <span>{decisionKeys.waiting.shortText}</span>
      <Link href="/devices">{decisionKeys.waiting.link}</Link>
    </Note>
  );
}

function useSigner(payment: Payment) {
  return useQuery({ queryKey: ['signer', payment.key], queryFn: () => chooseSigner(payment) }).data;
}

/** What approving would do here, and what was said about it so far. */
function Surroundings({ payment, approval }: DecisionProps) {
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

function Approve({ payment, approval }: DecisionProps) {
  const cache = useQueryClient();
  const chosen = useSigner(payment);
  const kept = useJournal(payment);
  const isLie = speaksAgainst(usePayeeCheck(payment));
  if (chosen === undefined || isLie) return null;
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

/** What this device remembers about an approval of its own: null when nothing, undefined while it is being read. */
export function useJournal(payment: Payment): JournalEntry | null | undefined {
  return useQuery({
    queryKey: ['journal', payment.key],
    queryFn: async () => (await journal.read(payment)) ?? null,
  }).data;
}
