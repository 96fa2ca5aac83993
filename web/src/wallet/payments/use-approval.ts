import { useState } from 'react';
import { queries, refresh } from '../../ui/queries.ts';
import { inTurn } from '../decisions/held-key.ts';
import { decisionKeyQuery } from '../decisions/queries.ts';
import { signShown } from '../decisions/sign-shown.ts';
import { useSession } from '../session/session.tsx';
import type { Submission } from '../signing/signer.ts';
import { manualSigner, signerById } from '../signing/signers.ts';
import { journal } from '../storage/journal.ts';
import type { ApprovalResult, ApprovalTools, Decide } from './approval.ts';
import { contextQuery, type Report, readPayment, reportPayment } from './gateway.ts';
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
  const session = useSession();
  const { client, device } = session;
  /** The description that the page has drawn: a pinned revision is read once. */
  const drawn = async (payment: Payment) => {
    if (payment.context?.revision == null) return null;
    const pinned = contextQuery(client, payment.connectionId, payment.context);
    return (await queries.ensureQueryData(pinned))?.content ?? null;
  };
  return {
    read: (payment) => readPayment(client, payment),
    report: (payment, report) => reportPayment(client, payment, report),
    async deciding(act) {
      // Before the turn begins: a change of the key keeps it locked while it waits for its own turn.
      const { held } = await queries.fetchQuery({ ...decisionKeyQuery(session), staleTime: 60_000 });
      const decide: Decide = async (payment, verdict) =>
        held && signShown({ payment, context: await drawn(payment) }, verdict, device.deviceId, held);
      return inTurn(held, () => act(decide));
    },
    journal,
    signerById,
    exclusively: (key, act) => navigator.locks.request(`payment ${key}`, act),
  };
}

export function useApproval(): ApprovalRun {
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
      // After every outcome, the record has the present status.
      await refresh('payments', 'journal');
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
        // From now on this device completes the payment.
        if (report.takeover) await tools.journal.keep(moved, { signerId: manualSigner.id });
        return { payment: moved, submission: undefined };
      }),
  };
}
