import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useWallet } from '../session/session.tsx';
import { manualSigner } from '../signing/manual-signer.ts';
import type { Submission } from '../signing/signer.ts';
import { signerById } from '../signing/signers.ts';
import { journal } from '../storage/journal.ts';
import type { ApprovalResult, ApprovalTools } from './approval.ts';
import { type Report, readPayment, reportPayment } from './gateway.ts';
import type { Payment } from './payment.ts';

export interface ApprovalRun {
  isBusy: boolean;
  error: unknown;
  submission: Submission | undefined;
  run(act: (tools: ApprovalTools) => Promise<ApprovalResult>): Promise<void>;
  /** Reports by hand what happened in another app. */
  report(payment: Payment, report: Report): Promise<void>;
}

export function useApprovalTools(): ApprovalTools {
  const client = useWallet();
  return {
    read: (payment) => readPayment(client, payment),
    report: (payment, report) => reportPayment(client, payment, report),
    journal,
    signerById,
    exclusively: (key, act) => navigator.locks.request(`payment ${key}`, act),
  };
}

export function useApproval(): ApprovalRun {
  const cache = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [submission, setSubmission] = useState<Submission>();
  const tools = useApprovalTools();
  const during = async (act: () => Promise<ApprovalResult>) => {
    setBusy(true);
    setError(undefined);
    try {
      setSubmission((await act()).submission);
    } catch (refusal) {
      setError(refusal);
    } finally {
      // Whatever happened, the record tells where it stands now.
      await cache.invalidateQueries({ queryKey: ['payments'] });
      await cache.invalidateQueries({ queryKey: ['journal'] });
      setBusy(false);
    }
  };
  return {
    isBusy,
    error,
    submission,
    run: (act) => during(() => act(tools)),
    report: (payment, report) =>
      during(async () => {
        const moved = await tools.report(payment, report);
        // From now on it is this device's to carry on.
        if (report.takeover) await tools.journal.keep(moved, { signerId: manualSigner.id });
        return { payment: moved, submission: undefined };
      }),
  };
}
