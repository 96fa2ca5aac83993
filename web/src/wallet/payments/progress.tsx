import { settlement as settlementTexts } from '../../texts/settlement.ts';
import { decision, progress } from '../../texts/wallet.ts';
import { Button, CopyButton } from '../../ui/button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Note, Progress } from '../../ui/notes.tsx';
import { SettlementLine } from '../../ui/settlement-line.tsx';
import { signerById } from '../signing/signers.ts';
import { resumePayment } from './approval.ts';
import { ApprovalError } from './decision.tsx';
import { type Outcome, TONES } from './outcome.ts';
import { ConfirmByHand, PayElsewhere, SignedElsewhere } from './pay-elsewhere.tsx';
import type { Payment, PaymentStatus } from './payment.ts';
import type { ApprovalRun } from './use-approval.ts';
import { useJournal } from './use-journal.ts';

const STEPS = ['pending', 'signed', 'broadcasted', 'confirmed'] as const;
const PLACES: readonly PaymentStatus[] = STEPS;

interface ProgressProps {
  payment: Payment;
  holds: boolean;
  approval: ApprovalRun;
  outcome: Outcome;
}

/** The status of a decided payment, and what this device can do about it. */
export function PaymentProgress({ payment, holds, approval, outcome }: ProgressProps) {
  const reached = PLACES.indexOf(payment.status);
  return (
    <section className="card stack" aria-labelledby="progress-title">
      <h2 id="progress-title">{progress.title}</h2>
      {/* At the end the title names the outcome; until then, the steps show the progress. */}
      {reached < 0 || payment.isFinal ? null : (
        <ol className="steps" aria-label={progress.label}>
          {STEPS.map((step, index) => (
            <li
              key={step}
              data-is-done={index <= reached}
              aria-current={index === reached ? 'step' : undefined}
            >
              {progress.steps[step]}
            </li>
          ))}
        </ol>
      )}
      {isFinal(outcome) ? (
        <Note kind={kindOf(outcome)}>
          {outcome === 'reported' && isObserved(payment) ? progress.notFinal : progress.final[outcome]}
        </Note>
      ) : holds ? (
        <NextStep payment={payment} approval={approval} />
      ) : null}
      <Reported payment={payment} />
      {approval.error === undefined ? null : <ApprovalError error={approval.error} />}
    </section>
  );
}

function isFinal(outcome: Outcome): outcome is keyof typeof progress.final {
  return Object.hasOwn(progress.final, outcome);
}

/** An observer has reached the chain. */
function isObserved({ settlement }: Payment): boolean {
  return settlement?.state === 'seen' || settlement?.state === 'unseen';
}

function kindOf(outcome: keyof typeof progress.final): 'plain' | 'good' | 'bad' {
  const tone = TONES[outcome];
  return tone === 'good' || (tone === 'bad' && outcome === 'contradicted') ? tone : 'plain';
}

/** Codes of this wallet are shown as the chosen text; others as they are. */
function Reason({ children }: { children: string }) {
  const words: Record<string, string> = { ...decision.reasons, ...progress.reasons };
  return Object.hasOwn(words, children) ? words[children] : <ForeignText>{children}</ForeignText>;
}

function NextStep({ payment, approval }: { payment: Payment; approval: ApprovalRun }) {
  const kept = useJournal(payment);
  if (approval.isBusy) return <Progress>{progress.working}</Progress>;
  if (kept === undefined) return <Progress>{progress.reading}</Progress>;
  if (kept === null) return <SignedElsewhere payment={payment} approval={approval} />;
  if (signerById(kept.signerId).id === 'manual')
    return payment.status === 'signed' ? (
      <PayElsewhere payment={payment} approval={approval} />
    ) : (
      <ConfirmByHand payment={payment} approval={approval} />
    );
  const { submission } = approval;
  const isHeldUp = submission?.outcome === 'unreachable' || submission?.outcome === 'refused';
  const texts = isHeldUp ? progress[submission.outcome] : progress.interrupted;
  return (
    <Note kind="warn" texts={texts}>
      {isHeldUp ? <span className="soft">{submission.why}</span> : null}
      <Button
        kind="main"
        isBusy={approval.isBusy}
        onClick={() => approval.run((tools) => resumePayment(tools, payment))}
      >
        {texts.action}
      </Button>
    </Note>
  );
}

function Reported({ payment }: { payment: Payment }) {
  const { txHash, reason, reasonText, facts } = payment;
  if (txHash === undefined && reason === undefined && reasonText === undefined) return null;
  return (
    <Facts
      facts={[
        txHash === undefined
          ? null
          : [
              progress.txHash,
              <span className="row" key="hash">
                <code className="mono">{txHash}</code>
                <CopyButton value={txHash} name={progress.hash.label} />
              </span>,
            ],
        txHash === undefined
          ? null
          : [
              settlementTexts.title,
              <SettlementLine
                key="settlement"
                network={facts.network}
                txHash={txHash}
                settlement={payment.settlement}
              />,
            ],
        reason === undefined ? null : [progress.reason, <Reason key="reason">{reason}</Reason>],
        reasonText === undefined
          ? null
          : [
              progress.ownWords,
              <ForeignText key="words" lines>
                {reasonText}
              </ForeignText>,
            ],
      ]}
    />
  );
}
