import { useState } from 'react';
import { progress } from '../../texts/wallet.ts';
import { ConfirmButton } from '../../ui/dialogs.tsx';
import { Note } from '../../ui/notes.tsx';
import { ConfirmByHand, ReportByHand } from './pay-elsewhere.tsx';
import type { Payment } from './payment.ts';
import type { ApprovalRun } from './use-approval.ts';

const { otherDevice } = progress;

/**
 * Another device has signed and reports on. When it is lost, this one can take its place: it only tells what became of
 * the payment, and offers nothing that could pay a second time.
 */
export function SignedElsewhere({ payment, approval }: { payment: Payment; approval: ApprovalRun }) {
  const [hasTakenOver, setTakenOver] = useState(false);
  if (!hasTakenOver)
    return (
      <Note kind="warn">
        <strong>{otherDevice.title}</strong>
        <span>{otherDevice.text}</span>
        <div>
          <ConfirmButton
            label={otherDevice.action}
            title={otherDevice.question}
            confirmLabel={otherDevice.confirm}
            run={async () => setTakenOver(true)}
          >
            <p>{otherDevice.warning}</p>
          </ConfirmButton>
        </div>
      </Note>
    );
  const taking: ApprovalRun = {
    ...approval,
    report: (each, report) => approval.report(each, { ...report, takeover: true }),
  };
  return (
    <div className="stack">
      <Note kind="warn">{otherDevice.taken}</Note>
      {payment.status === 'signed' ? (
        <ReportByHand payment={payment} approval={taking} />
      ) : (
        <ConfirmByHand payment={payment} approval={taking} />
      )}
    </div>
  );
}
