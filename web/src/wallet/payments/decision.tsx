import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { common } from '../../texts/common.ts';
import { checks as checkTexts } from '../../texts/wallet/danger.ts';
import { stellar } from '../../texts/wallet/stellar.ts';
import { decision, decisionKeys, progress, review } from '../../texts/wallet.ts';
import { useAction } from '../../ui/action.tsx';
import { ArrivalPlace } from '../../ui/arrivals.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialogs.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Note, Progress } from '../../ui/notes.tsx';
import { NoPasskeyError } from '../../ui/passkey.ts';
import { refresh } from '../../ui/queries.ts';
import { SelectField, TextAreaField } from '../../ui/select-field.tsx';
import { useStore } from '../../ui/store.ts';
import { useDecisionKey } from '../decisions/queries.ts';
import { guardApproval } from '../lock/guard.ts';
import { speaksAgainst, usePayeeCheck } from '../log/payee-check.tsx';
import { useServerTime } from '../session/server-clock.ts';
import { CannotSignError, type Signer } from '../signing/signer.ts';
import { chooseSigner, manualSigner } from '../signing/signers.ts';
import { accountQuery } from '../stellar/balance.tsx';
import { freighterPresence, lookForFreighter } from '../stellar/freighter.ts';
import { canPayByTestKey, MakeTestKey } from '../stellar/make-test-key.tsx';
import { type Cost, costOf } from '../stellar/stellar-signer.ts';
import { approvePayment, FactsChangedError, rejectPayment } from './approval.ts';
import { isTooMuch, type Payment } from './payment.ts';
import { type ApprovalRun, useApprovalTools } from './use-approval.ts';
import type { Checks } from './use-checks.ts';
import { useJournal } from './use-journal.ts';

interface DecisionProps {
  payment: Payment;
  approval: ApprovalRun;
  checks: Checks;
}

/** Why an approval has to wait, if it does. */
function waitingFor({ isWaiting, hasDanger, isConfirmed }: Checks): string | undefined {
  if (isWaiting) return checkTexts.checking;
  return hasDanger && !isConfirmed ? checkTexts.confirmFirst : undefined;
}

/**
 * Approve or reject, if the pinned details match their digest: otherwise there is nothing to sign. Always at the lower
 * edge.
 */
export function Decision({ payment, approval, checks }: DecisionProps) {
  const [isRejecting, setRejecting] = useState(false);
  const left = useTimeLeft(payment.expiresAt);
  const isOver = left === undefined;
  const hasNoKey = useDecisionKey().data?.cannotApprove ?? false;
  const canApprove = !hasNoKey && !isTooMuch(payment);
  return (
    <>
      {canApprove ? <Surroundings {...{ payment, approval, checks, isOver }} /> : null}
      <div className="decision-dock">
        <ArrivalPlace />
        <section className="decision-bar" aria-label={decision.title}>
          {approval.error === undefined ? null : <ApprovalError error={approval.error} />}
          <p className="decision-time" data-is-soon={left?.isSoon ?? true} data-fact="time-left">
            <Icon name="clock" />
            {left === undefined ? decision.expired : decision.left(left.text)}
          </p>
          {canApprove ? <CostLine payment={payment} /> : null}
          {canApprove ? <WaitLine checks={checks} /> : null}
          <div className="decision-buttons">
            <Button kind="danger" size="large" disabled={approval.isBusy} onClick={() => setRejecting(true)}>
              {decision.reject}
            </Button>
            {canApprove ? <Approve {...{ payment, approval, checks, isOver }} /> : null}
          </div>
        </section>
      </div>
      <RejectDialog payment={payment} isOpen={isRejecting} onClose={() => setRejecting(false)} />
    </>
  );
}

/** Chosen again when the extension has responded. */
function useSigner(payment: Payment) {
  useEffect(lookForFreighter, []);
  const hasFreighter = useStore(freighterPresence);
  const queryKey = ['signer', payment.key, hasFreighter];
  return useQuery({ queryKey, queryFn: () => chooseSigner(payment), placeholderData: keepPreviousData }).data;
}

/** The balance of the paying account, where the account is known without a prompt. */
function useCost(
  payment: Payment,
): { cost: Cost | undefined; query: { isError: boolean; data: unknown } } | undefined {
  const chosen = useSigner(payment)?.ability;
  const account = chosen?.can === 'here' ? chosen.account : undefined;
  const query = useQuery({ ...accountQuery(account ?? ''), enabled: account !== undefined });
  if (account === undefined) return undefined;
  return { cost: query.data ? costOf(payment.facts, query.data, account) : undefined, query };
}

interface ApproveProps extends DecisionProps {
  /** The time to decide has passed, even if the service has not reported it yet. */
  isOver: boolean;
}

function useApprove({ payment, approval }: Pick<DecisionProps, 'payment' | 'approval'>) {
  const held = useDecisionKey().data?.held;
  return async (signer: Signer) => {
    if (!(await guardApproval(payment, signer.id, held))) return;
    await approval.run((tools) => approvePayment(tools, payment, signer));
    await refresh('policies');
  };
}

/** The effect of approving on this device, and the messages about it so far. */
function Surroundings({ payment, approval, checks, isOver }: ApproveProps) {
  const chosen = useSigner(payment);
  const kept = useJournal(payment);
  const approveWith = useApprove({ payment, approval });
  const isLie = speaksAgainst(usePayeeCheck(payment));
  if (chosen === undefined) return <Progress>{decision.looking}</Progress>;
  const { ability, declined, others } = chosen;
  const isHere = ability.can === 'here';
  return (
    <section className="sheet-how" aria-label={decision.how}>
      {kept === undefined || kept === null ? null : <Note kind="warn" texts={progress.interrupted} />}
      <p>{isHere ? (ability.note ?? decision.approveHere) : decision.approveElsewhere}</p>
      {isHere ? null : declined.map((why) => <p key={why}>{why}</p>)}
      {isHere || !canPayByTestKey(payment) ? null : <MakeTestKey />}
      {kept === null && !isLie
        ? others.map((signer) => (
            <Button
              key={signer.id}
              kind="plain"
              disabled={approval.isBusy || isOver || waitingFor(checks) !== undefined}
              onClick={() => approveWith(signer)}
            >
              {signer.id === manualSigner.id ? decision.payElsewhere : stellar.freighter.action}
            </Button>
          ))
        : null}
    </section>
  );
}

const texts = stellar.cost;

function CostLine({ payment }: { payment: Payment }) {
  const known = useCost(payment);
  if (known === undefined) return null;
  const { cost, query } = known;
  const unknown = query.isError ? texts.unreachable : query.data === null ? texts.unfunded : texts.looking;
  return (
    <p className="decision-time" data-is-soon={cost?.isCovered === false} data-fact="balance">
      {cost === undefined
        ? unknown
        : texts[cost.isCovered ? 'enough' : 'tooLittle'](cost, payment.facts.asset)}
    </p>
  );
}

const WAIT_LINE = 'approval-waits-for';

function WaitLine({ checks }: { checks: Checks }) {
  const why = waitingFor(checks);
  return (
    <p className="decision-time" id={WAIT_LINE} role="status" data-is-soon={!checks.isWaiting}>
      {why ?? ''}
    </p>
  );
}

/** A longer label does not fit; the whole amount is above, and a cut one would be a different amount. */
const LONGEST_LABEL = 18;

function Approve({ payment, approval, checks, isOver }: ApproveProps) {
  const chosen = useSigner(payment);
  const approveWith = useApprove({ payment, approval });
  const isLie = speaksAgainst(usePayeeCheck(payment));
  const cost = useCost(payment)?.cost;
  if (chosen === undefined || isLie) return null;
  const amount = `${payment.facts.amount} ${payment.facts.asset}`;
  return (
    <Button
      kind="main"
      size="large"
      aria-label={decision.approve(amount)}
      aria-describedby={WAIT_LINE}
      disabled={isOver || cost?.isCovered === false || waitingFor(checks) !== undefined}
      isBusy={approval.isBusy}
      onClick={() => approveWith(chosen.signer)}
    >
      {amount.length > LONGEST_LABEL ? decision.approve() : decision.approve(amount)}
    </Button>
  );
}

const reasons = () => Object.entries(decision.reasons).map(([value, label]) => ({ value, label }));
const LONGEST_REASON = 280;

interface RejectProps {
  payment: Payment;
  isOpen: boolean;
  onClose(): void;
}

function RejectDialog({ payment, isOpen, onClose }: RejectProps) {
  const tools = useApprovalTools();
  const [reasonCode, setReasonCode] = useState<string>(reasons()[0]?.value ?? '');
  const [reason, setReason] = useState('');
  const { isBusy, error, run } = useAction();
  const reject = () =>
    run(async () => {
      await rejectPayment(tools, payment, { reasonCode, reason: reason.trim() });
      onClose();
      await refresh('payments');
    });
  return (
    <Dialog title={decision.rejectTitle} isOpen={isOpen} onClose={onClose}>
      <p>{decision.rejectText}</p>
      <SelectField
        label={decision.reasonCode}
        choices={reasons()}
        value={reasonCode}
        onValue={setReasonCode}
      />
      <TextAreaField
        label={decision.reason.label}
        hint={decision.reason.hint}
        maxLength={LONGEST_REASON}
        value={reason}
        onValue={setReason}
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

export function ApprovalError({ error }: { error: unknown }) {
  if (error instanceof FactsChangedError) return <Note kind="bad">{review.broken.changed}</Note>;
  if (error instanceof CannotSignError) return <Note kind="bad">{error.message}</Note>;
  if (error instanceof NoPasskeyError) return <Note kind="warn">{decisionKeys.usePasskey.refused}</Note>;
  return <ErrorNote error={error} />;
}

const SOON_S = 5 * 60;
const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;

interface TimeLeft {
  text: string;
  isSoon: boolean;
}

/** What is left, to the second in the last hour; undefined from the very second on in which the time is over. */
function useTimeLeft(until: string): TimeLeft | undefined {
  const end = new Date(until).getTime();
  // At the next full second before the end, so that the last one is not late.
  const now = useServerTime((now) => (end <= now ? undefined : (end - now) % 1000 || 1000));
  const seconds = Math.ceil((end - now) / 1000);
  return seconds <= 0 ? undefined : { text: words(seconds), isSoon: seconds < SOON_S };
}

function words(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  if (seconds >= DAY_S) return `${Math.floor(seconds / DAY_S)} d ${Math.floor((seconds % DAY_S) / HOUR_S)} h`;
  if (seconds >= HOUR_S)
    return `${Math.floor(seconds / HOUR_S)} h ${Math.floor((seconds % HOUR_S) / 60)} min`;
  return `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
}
