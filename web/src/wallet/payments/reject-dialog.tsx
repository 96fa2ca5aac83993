import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { common } from '../../texts/common.ts';
import { decision } from '../../texts/wallet.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialogs.tsx';
import { SelectField, TextAreaField } from '../../ui/fields.tsx';
import { useAct } from '../use-act.ts';
import { rejectPayment } from './approval.ts';
import { ApprovalError } from './approval-error.tsx';
import type { Payment } from './payment.ts';
import { useApprovalTools } from './use-approval.ts';

const reasons = () => Object.entries(decision.reasons).map(([value, label]) => ({ value, label }));
const LONGEST_REASON = 280;

interface RejectProps {
  payment: Payment;
  isOpen: boolean;
  onClose(): void;
}

export function RejectDialog({ payment, isOpen, onClose }: RejectProps) {
  const tools = useApprovalTools();
  const cache = useQueryClient();
  const [reasonCode, setReasonCode] = useState<string>(reasons()[0]?.value ?? '');
  const [reason, setReason] = useState('');
  const { isBusy, error, run } = useAct();
  const reject = () =>
    run(async () => {
      await rejectPayment(tools, payment, { reasonCode, reason: reason.trim() });
      onClose();
      await cache.invalidateQueries({ queryKey: ['payments'] });
    });
  return (
    <Dialog title={decision.rejectTitle} isOpen={isOpen} onClose={onClose}>
      <p>{decision.rejectText}</p>
      <SelectField
        label={decision.reasonCode}
        choices={reasons()}
        value={reasonCode}
        onChange={(event) => setReasonCode(event.target.value)}
      />
      <TextAreaField
        label={decision.reason.label}
        hint={decision.reason.hint}
        maxLength={LONGEST_REASON}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      {error === undefined ? null : <ApprovalError error={error} />}
      <div className="row">
        <Button kind="danger" isBusy={isBusy} onClick={reject}>
          {decision.rejectConfirm}
        </Button>
        <Button onClick={onClose}>{common.cancel}</Button>
      </div>
    </Dialog>
  );
}
